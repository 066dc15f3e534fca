-- Ended executions in which an erasure has replaced data. The files of their forms are found by them.
create table privacy_erased_executions (
  account_id uuid not null,
  execution_id uuid not null,
  erasure_id uuid not null,
  erased_at timestamptz not null,
  -- Whether the input had the data: what was sent with it is then deleted.
  in_input boolean not null,
  primary key (account_id, execution_id, erasure_id)
);

create index privacy_erased_executions_of_erasure on privacy_erased_executions (account_id, erasure_id, execution_id);

select millrace_isolate('privacy_erased_executions');
