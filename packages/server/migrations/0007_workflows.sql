-- Workflows, and their published versions, which never change: executions refer to them.

create table workflows (
  id uuid primary key,
  account_id uuid not null,
  name text not null check (char_length(name) between 1 and 200),
  description text,
  tags text[] not null,
  -- The name of the document, by which `run: workflow` finds it: of the latest published version, or of the draft before the first publication.
  namespace text not null,
  document_name text not null,
  enabled boolean not null,
  -- Grows with every change; If-Match is compared with it.
  revision integer not null,
  -- The draft: canonical, as the author wrote it, and the warnings of the validator. `json` keeps the order of keys.
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
  -- A deleted workflow is found only by its executions.
  deleted_at timestamptz,
  check (num_nulls(latest_version_id, latest_number, latest_checksum) in (0, 3))
);

comment on column workflows.checksum is 'SHA-256 of the canonical draft, in hexadecimal.';
comment on column workflows.created_by is 'Who did it, as kind:id.';

-- `run: workflow` finds at most one; the name of a deleted workflow can be used again.
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
  -- Whether a start validates its input: most definitions accept any, and need not be loaded for a start.
  checks_input boolean not null,
  created_at timestamptz not null,
  created_by text not null,
  -- The external resources (functions, schemas, scripts) that were pinned when the version was published: by URL, with kind, digest and content.
  resources json not null default '{}',
  -- How long its executions are kept, as an ISO 8601 duration.
  retention text generated always as (definition #>> '{document,metadata,retention}') stored,
  unique (workflow_id, number)
);

create index workflow_versions_retention on workflow_versions (id) where retention is not null;

-- Immutable: the account's role can neither change nor delete one.
select millrace_isolate('workflow_versions', privileges => 'select, insert');
