-- Decisions about personal data and the policies that make them (docs/privacy.md). The data itself is never in these tables.

create table privacy_decisions (
  id uuid primary key,
  account_id uuid not null,
  at timestamptz not null,
  source text not null check (source in ('check', 'redact', 'execution', 'egress')),
  action text not null check (action in ('none', 'detected', 'redacted', 'blocked', 'allowed')),
  -- As kind:id.
  actor text not null,
  workflow_id uuid,
  target text,
  purpose text,
  reason text,
  -- Findings by kind.
  counts jsonb not null,
  characters integer not null
);

create index privacy_decisions_by_account on privacy_decisions (account_id, id desc);
create index privacy_decisions_by_time on privacy_decisions (at);

select millrace_isolate('privacy_decisions', privileges => 'select, insert');

create table privacy_policies (
  id uuid primary key,
  account_id uuid not null,
  -- Null: for every workflow without a policy of its own.
  workflow_id uuid,
  action text not null check (action in ('detect', 'redact', 'block')),
  kinds text[] not null,
  min_score double precision not null check (min_score between 0 and 1),
  purpose text not null,
  legal_basis text not null,
  retention text,
  enabled boolean not null,
  revision integer not null default 1,
  updated_at timestamptz not null,
  updated_by text not null
);

create unique index privacy_policies_by_workflow on privacy_policies (account_id, workflow_id) nulls not distinct;

select millrace_isolate('privacy_policies');
