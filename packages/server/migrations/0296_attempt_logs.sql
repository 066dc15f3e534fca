-- What scripts and services wrote in an attempt of a task, at most the last 64 KB. Kept beside the journal: a replay does not need it.
create table attempt_logs (
  account_id uuid not null references accounts (id) on delete cascade,
  execution_id uuid not null,
  position text not null,
  text text not null,
  -- Whether the beginning was cut off.
  truncated boolean not null,
  made_at timestamptz not null,
  primary key (execution_id, position)
);

create index attempt_logs_by_time on attempt_logs (made_at);
create index attempt_logs_by_account on attempt_logs (account_id);

select millrace_isolate('attempt_logs', privileges => 'select');
