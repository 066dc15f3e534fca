-- Workflows, and their published versions, which never change and never go: executions are pinned to them.

create table workflows (
  id uuid primary key,
  account_id uuid not null,
  name text not null check (char_length(name) between 1 and 200),
  description text,
  tags text[] not null,
  -- Who the document is, as `run: workflow` names it: of the latest published version, or of the draft as long as there is none.
  namespace text not null,
  document_name text not null,
  enabled boolean not null,
  -- Grows with every change; what If-Match is held against.
  revision integer not null,
  -- The draft: canonical, as the author wrote it, and what the validator had to say without refusing it. `json` keeps the order of keys.
  definition json not null,
  source text not null,
  syntax text not null check (syntax in ('yaml', 'json')),
  checksum text not null,
  warnings json not null,
  triggers text[] not null,
  -- The latest published version, repeated here so that a start needs one row; all three are null until there is one.
  latest_version_id uuid,
  latest_number integer,
  latest_checksum text,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  -- Deleted workflows keep their history readable; nothing else finds them.
  deleted_at timestamptz,
  check (num_nulls(latest_version_id, latest_number, latest_checksum) in (0, 3))
);

comment on column workflows.checksum is 'SHA-256 of the canonical draft, in hexadecimal.';
comment on column workflows.created_by is 'Who did it, as kind:id.';

-- `run: workflow` names at most one; the name of a deleted one is free again.
create unique index workflows_by_document on workflows (account_id, namespace, document_name) where deleted_at is null;
create index workflows_by_account on workflows (account_id, id desc) where deleted_at is null;
create index workflows_by_name on workflows (account_id, (lower(name) collate "C"), id) where deleted_at is null;

select millrace_isolate('workflows', privileges => 'select, insert, update');

create table workflow_versions (
  id uuid primary key,
  account_id uuid not null,
  workflow_id uuid not null references workflows (id),
  number integer not null check (number > 0),
  document_version text not null,
  definition json not null,
  source text not null,
  syntax text not null check (syntax in ('yaml', 'json')),
  checksum text not null,
  warnings json not null,
  -- Whether a start has to look at its input: most definitions take any, and those need not be loaded for it.
  checks_input boolean not null,
  created_at timestamptz not null,
  created_by text not null,
  unique (workflow_id, number)
);

-- Immutable: the role has no way to change or delete one.
select millrace_isolate('workflow_versions', privileges => 'select, insert');

-- Lists of a workflow's executions by state, by trigger, or by both: a filter that is not given is a union over its few values, each of
-- which is one ordered scan of this index, so that a page costs the same however rare what it looks for is. Nulls last for the reason
-- that executions_by_workflow has.
create index executions_by_filter on executions (workflow_id, state, trigger, id desc nulls last);
-- Counts of what waits, for the health of the installation.
create index executions_waiting on executions (account_id) where state = 'waiting';
