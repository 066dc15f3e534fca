-- Notifications of payment providers as they arrived, stored before anything is done with them. They name no account that could be trusted:
-- the account is that of the payment which they refer to.
create table payment_notifications (
  id uuid primary key,
  provider text not null,
  event_id text not null,
  type text not null,
  body bytea not null,
  received_at timestamptz not null,
  -- How often the provider sent it.
  deliveries integer not null default 1,
  state text not null check (state in ('pending', 'processed', 'dead')),
  processed_at timestamptz,
  unique (provider, event_id)
);

create index payment_notifications_by_age on payment_notifications (received_at);
