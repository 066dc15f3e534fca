-- Figures about ended executions, added up for parts of time: of 15 minutes, an hour, and a day in UTC. Every offset of a time zone is a multiple of
-- 15 minutes, so the sums of every local hour and day are exact.

create table execution_counts (
  account_id uuid not null,
  workflow_id uuid not null,
  -- Length of the part of time.
  minutes smallint not null check (minutes in (15, 60, 1440)),
  at timestamptz not null,
  state text not null,
  executions bigint not null,
  retries bigint not null,
  -- Executions that were begun, with the sums of their times from the begin to the end, and from the acceptance to the begin.
  begun bigint not null,
  duration_ms bigint not null,
  wait_ms bigint not null,
  primary key (account_id, minutes, at, workflow_id, state)
);

create index execution_counts_by_workflow on execution_counts (account_id, workflow_id, minutes, at);

select millrace_isolate('execution_counts');

-- How many executions took how long: one row for each class of times, whose bounds grow by 4 percent.
create table execution_times (
  account_id uuid not null,
  workflow_id uuid not null,
  minutes smallint not null check (minutes in (15, 60, 1440)),
  at timestamptz not null,
  measure text not null check (measure in ('duration', 'wait')),
  class smallint not null,
  executions bigint not null,
  primary key (account_id, minutes, at, workflow_id, measure, class)
);

create index execution_times_by_workflow on execution_times (account_id, workflow_id, minutes, at);

select millrace_isolate('execution_times');

-- Where and with which error executions faulted.
create table execution_failures (
  account_id uuid not null,
  workflow_id uuid not null,
  minutes smallint not null check (minutes in (15, 60, 1440)),
  at timestamptz not null,
  -- JSON Pointer to the task in the definition.
  task text not null,
  error_type text not null,
  executions bigint not null,
  primary key (account_id, minutes, at, workflow_id, task, error_type)
);

create index execution_failures_by_workflow on execution_failures (account_id, workflow_id, minutes, at);

select millrace_isolate('execution_failures');

-- The class of a time: 0 for less than a millisecond, then classes [1.04^(n-1), 1.04^n).
create function millrace_time_class(ms bigint) returns smallint
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select case when ms < 1 then 0 else 1 + floor(ln(ms::float8) / ln(1.04::float8)) end::smallint
$$;
