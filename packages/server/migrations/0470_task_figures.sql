-- How long the tasks of ended executions took, added up for the same parts of time as the other figures. Executions that ended before are not in it.
create table execution_tasks (
  account_id uuid not null,
  workflow_id uuid not null,
  minutes integer not null check (minutes in (15, 60, 1440, 5760, 23040, 92160)),
  at timestamptz not null,
  -- JSON Pointer to the task in the definition.
  task text not null,
  attempts bigint not null,
  failed bigint not null,
  -- Sum and maximum of their times.
  duration_ms bigint not null,
  longest_ms bigint not null,
  primary key (account_id, minutes, at, workflow_id, task)
);

create index execution_tasks_by_workflow on execution_tasks (account_id, workflow_id, minutes, at);

select millrace_isolate('execution_tasks');

-- Minutes of work that one completed execution saves, as people of the account state it.
alter table workflows add column minutes_per_run double precision check (minutes_per_run >= 0);
