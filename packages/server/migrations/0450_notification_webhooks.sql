-- Notifications that a user also receives at a URL.

alter table notifications
  -- Since when it waits to be sent to the URL of the user; null: it does not.
  add column webhook_due_since timestamptz,
  add column webhook_sent_at timestamptz;

create index notifications_by_webhook on notifications (account_id, user_id, webhook_due_since) where webhook_due_since is not null;

alter table notification_preferences add column webhook boolean not null default false;

create table notification_webhooks (
  account_id uuid not null,
  user_id uuid not null,
  format text not null check (format in ('standard', 'slack', 'discord')),
  -- The URL, which may itself be a credential, and the secret that signs: JSON, sealed under the key of the account.
  sealed bytea not null,
  created_at timestamptz not null,
  last_sent_at timestamptz,
  failing_since timestamptz,
  last_error text,
  -- No attempt before this time: after one that failed, and while a process sends.
  next_attempt_at timestamptz,
  -- Set when the URL failed for too long, or said that it is gone.
  disabled_at timestamptz,
  primary key (account_id, user_id)
);

select millrace_isolate('notification_webhooks');
