-- Agent runs. A run is an execution of a workflow that is compiled from its tools; runs with the same tools share the workflow.

alter table workflows drop constraint workflows_managed_by_check;
alter table workflows add constraint workflows_managed_by_check check (managed_by in ('chain', 'agent'));

create table agent_definitions (
  account_id uuid not null references accounts (id) on delete cascade,
  -- Of the compiled definition.
  digest text not null,
  workflow_id uuid not null,
  created_at timestamptz not null,
  primary key (account_id, digest)
);

select millrace_isolate('agent_definitions');

create table agent_runs (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  -- What the caller asked for, as the input of the execution.
  request json not null,
  goal text not null,
  quality text not null,
  workflow_id uuid not null,
  -- Null until the execution is started; a started execution has an idempotency key with the id of the run.
  execution_id uuid,
  -- The caller's idempotency key.
  request_key text,
  -- Null while the run has not ended.
  outcome text check (outcome in ('answered', 'step_limit', 'token_limit', 'time_limit', 'faulted', 'cancelled')),
  answer text,
  turns integer not null default 0,
  tool_calls integer not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz
);

create index agent_runs_by_account on agent_runs (account_id, id desc);
create index agent_runs_changed on agent_runs (account_id, updated_at desc);
create index agent_runs_unstarted on agent_runs (created_at) where execution_id is null;
create unique index agent_runs_by_key on agent_runs (account_id, request_key) where request_key is not null;

select millrace_isolate('agent_runs');
