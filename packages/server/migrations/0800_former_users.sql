-- Who was removed from an account: the log has their names when the table of users has not.
create index audit_events_of_removals on audit_events (account_id, at desc) where event in ('user.removed', 'scim.user_deleted');
