-- The notifications and settings of a user go with the user, on every path that removes one. No foreign key does this: with one, the notification of a
-- user who is being removed would fail, and its cause with it. What belongs to a deleted account stays until its purge, since it may be restored.

create index notifications_unlisted on notifications (account_id, user_id) where not in_app;

create function users_drop_notifications() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  if not exists (select from gone g join accounts a on a.id = g.account_id) then
    return null;
  end if;
  delete from notification_webhooks n using gone g where n.account_id = g.account_id and n.user_id = g.id;
  delete from notification_digests n using gone g where n.account_id = g.account_id and n.user_id = g.id;
  delete from notification_preferences n using gone g where n.account_id = g.account_id and n.user_id = g.id;
  -- By notifications_by_user and notifications_unlisted.
  delete from notifications n using gone g where n.account_id = g.account_id and n.user_id = g.id and n.in_app;
  delete from notifications n using gone g where n.account_id = g.account_id and n.user_id = g.id and not n.in_app;
  return null;
end
$$;

create trigger users_drop_notifications after delete on users referencing old table as gone
  for each statement execute function users_drop_notifications();

-- Of users who were removed before.
delete from notification_webhooks n
  where exists (select from accounts a where a.id = n.account_id) and not exists (select from users u where u.account_id = n.account_id and u.id = n.user_id);
delete from notification_digests n
  where exists (select from accounts a where a.id = n.account_id) and not exists (select from users u where u.account_id = n.account_id and u.id = n.user_id);
delete from notification_preferences n
  where exists (select from accounts a where a.id = n.account_id) and not exists (select from users u where u.account_id = n.account_id and u.id = n.user_id);
delete from notifications n
  where exists (select from accounts a where a.id = n.account_id) and not exists (select from users u where u.account_id = n.account_id and u.id = n.user_id);
