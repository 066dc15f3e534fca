-- What users hear of by themselves.

create table notifications (
  id uuid primary key,
  account_id uuid not null,
  user_id uuid not null,
  kind text not null,
  title text not null check (char_length(title) <= 300),
  body text not null check (char_length(body) <= 4000),
  -- Path of the page about the cause.
  link text,
  -- Names the cause. While a notification is unread, repetitions of its cause raise its count.
  group_key text,
  count integer not null default 1,
  -- Whether it is in the list of the user.
  in_app boolean not null,
  -- Since when it waits for the next digest; null: it does not.
  mail_due_since timestamptz,
  mailed_at timestamptz,
  read_at timestamptz,
  created_at timestamptz not null,
  last_at timestamptz not null
);

create unique index notifications_by_group on notifications (account_id, user_id, kind, group_key) where read_at is null and group_key is not null;
create index notifications_by_user on notifications (account_id, user_id, last_at desc, id desc) where in_app;
create index notifications_unread on notifications (account_id, user_id) where in_app and read_at is null;
create index notifications_by_mail on notifications (account_id, user_id, mail_due_since) where mail_due_since is not null;
create index notifications_by_age on notifications (last_at);

select millrace_isolate('notifications');

-- Kinds without a row have the defaults of the kind.
create table notification_preferences (
  account_id uuid not null,
  user_id uuid not null,
  kind text not null,
  in_app boolean not null,
  mail boolean not null,
  primary key (account_id, user_id, kind)
);

select millrace_isolate('notification_preferences');

create table notification_digests (
  account_id uuid not null,
  user_id uuid not null,
  every_minutes integer not null default 60,
  last_sent_at timestamptz,
  primary key (account_id, user_id)
);

select millrace_isolate('notification_digests');

