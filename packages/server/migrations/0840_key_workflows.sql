-- The workflows to which a key is limited. Null for a key without this limit; empty once all of them are deleted.
alter table api_keys add column workflow_ids uuid[];
