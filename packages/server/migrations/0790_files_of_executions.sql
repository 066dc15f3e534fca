-- The execution that wrote the content, or with whose start it was sent: its approvals show the file.
alter table account_files add column execution_id uuid;

create index account_files_by_execution on account_files (account_id, execution_id) where execution_id is not null;
