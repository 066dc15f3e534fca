-- The first occurrence of a cause is mailed without waiting for the next digest.
alter table notifications add column mail_at_once boolean not null default false;

-- Finds what the same cause has made before, which decides whether an occurrence is the first.
create index notifications_read_by_group on notifications (account_id, user_id, kind, group_key, last_at) where read_at is not null and group_key is not null;

alter table notification_digests
  add column first_at_once boolean not null default true,
  -- Mails between two digests.
  add column sent_at_once integer not null default 0;

-- Who chose a longer pause than the default wants fewer mails.
update notification_digests set first_at_once = false where every_minutes > 60;
