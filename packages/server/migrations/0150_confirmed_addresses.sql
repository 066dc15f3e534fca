-- A provider confirmed the address of each user whom a sign-in with it created. Such a user had no password at that time, and the identity
-- was made with the user. Without a confirmed address, the first link in a mail would remove the identity.
update users u set email_verified_at = i.created_at from identities i
where u.email_verified_at is null and i.account_id = u.account_id and i.user_id = u.id and i.email = u.email
  and i.created_at < u.created_at + interval '1 minute'
  and not exists (select from user_passwords p where p.account_id = u.account_id and p.user_id = u.id);
