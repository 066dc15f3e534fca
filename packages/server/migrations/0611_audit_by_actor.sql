-- What one user or key did, newest first.
create index audit_events_by_actor on audit_events (account_id, actor, at desc, id desc);
