-- What an erasure left of an execution is attested by an event of the audit log; sealing is encryption for storage.
alter table privacy_erased_executions rename column sealed_by to attested_by;
