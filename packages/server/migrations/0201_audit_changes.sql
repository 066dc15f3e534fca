-- What changes of the audit log changed: for each member the state before and after, with the salts of the commitments that the event has in its
-- details (docs/audit.md). These rows can be erased: the event and its leaf stay as they are.

create table audit_changes (
  event_id uuid primary key,
  account_id uuid not null,
  -- By member: before and after, each with salt and value.
  revealed jsonb not null
);

create index audit_changes_by_account on audit_changes (account_id);

select millrace_isolate('audit_changes', privileges => 'select, insert');
