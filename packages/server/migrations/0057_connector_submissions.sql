-- Connectors that users propose and operators approve. Operators read and decide them by the system's connections.

create table connector_submissions (
  id uuid primary key,
  -- The account that proposed it.
  account_id uuid not null,
  name text not null,
  title text not null,
  kind text not null check (kind in ('manifest', 'openapi')),
  version text not null,
  summary text not null,
  licence text not null,
  homepage text,
  hosts text[] not null,
  operations json not null,
  operation_count integer not null,
  -- The document as JSON; its checksum is SHA-256 in hexadecimal.
  document json not null,
  checksum text not null,
  checks json not null,
  state text not null check (state in ('pending', 'approved', 'rejected', 'withdrawn')),
  reason text,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  decided_at timestamptz,
  decided_by text,
  check ((state = 'pending') = (decided_at is null))
);

create index connector_submissions_by_account on connector_submissions (account_id, id desc);
create index connector_submissions_by_state on connector_submissions (state, id desc);
-- A name is one approved connector.
create unique index connector_submissions_by_name on connector_submissions (name) where state = 'approved';

select millrace_isolate('connector_submissions');
