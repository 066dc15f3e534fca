-- Chains of workflows. A chain is compiled to the definition of a workflow that belongs to it, so its runs are executions like any other.

-- What owns a workflow that no person made; such a workflow is in no list, and only its owner changes it.
alter table workflows add column managed_by text check (managed_by in ('chain'));

create table chains (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  description text,
  members json not null,
  -- The workflow that it is compiled to, and the definition that was published last.
  workflow_id uuid not null,
  compiled json not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);

create index chains_by_account on chains (account_id, id desc);

select millrace_isolate('chains');
