-- Where workflows were imported from.

create table workflow_origins (
  workflow_id uuid primary key references workflows (id) on delete cascade,
  account_id uuid not null,
  kind text not null check (kind in ('template', 'marketplace')),
  -- Id of the template, or of the marketplace entry as a uuid. No foreign key: the origin outlives an entry.
  source text not null,
  version text not null,
  -- SHA-256 of the source, in hexadecimal.
  checksum text not null,
  imported_at timestamptz not null,
  imported_by text not null
);

create index workflow_origins_by_account on workflow_origins (account_id, kind, workflow_id desc);
create index workflow_origins_by_source on workflow_origins (account_id, kind, source);

select millrace_isolate('workflow_origins', privileges => 'select, insert');
