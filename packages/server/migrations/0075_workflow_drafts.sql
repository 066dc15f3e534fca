-- Drafts that an editor saved and that are not valid: the text as it was written, beside the last valid draft in `workflows`.

create table workflow_drafts (
  workflow_id uuid primary key references workflows (id),
  account_id uuid not null,
  source text not null,
  syntax text not null check (syntax in ('yaml', 'json')),
  updated_at timestamptz not null,
  updated_by text not null
);

create index workflow_drafts_by_account on workflow_drafts (account_id);

select millrace_isolate('workflow_drafts');

alter table workflow_versions add column note text check (char_length(note) <= 2000);
