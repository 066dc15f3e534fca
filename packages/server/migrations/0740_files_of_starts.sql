-- The idempotency key of the start that a file was sent with, until it is known whether the start succeeded. Without one the file is kept.
alter table account_files add column start_key text;

create index account_files_undecided on account_files (updated_at) where start_key is not null;
