-- The names that things had before they were renamed, for the events that are older than that.
create index audit_changes_of_names on audit_changes (account_id) where revealed ? 'name';
