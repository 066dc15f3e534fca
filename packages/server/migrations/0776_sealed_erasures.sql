-- The event of the audit log with the digests of what an erasure left of an execution; null until it is written.
alter table privacy_erased_executions add column sealed_by uuid;

create index privacy_erased_executions_of_execution on privacy_erased_executions (execution_id);

-- Erasures from before note no executions: what they erased is known by their marks alone. A mark of a later one proves nothing by itself.
alter table privacy_erasures add column notes_executions boolean not null default false;
alter table privacy_erasures alter column notes_executions set default true;
