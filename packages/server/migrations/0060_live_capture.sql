-- Sessions that capture what a person does in a browser, until they become drafts of workflows.
create table capture_sessions (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  -- `stopping`: takes no events any more, and its draft is being made; `stop` can be repeated.
  state text not null check (state in ('recording', 'stopping', 'stopped')),
  mask_inputs boolean not null,
  -- The recorder of the session sends events with this token.
  token_hash bytea not null unique,
  workflow_id uuid,
  draft jsonb,
  created_at timestamptz not null,
  created_by text not null,
  expires_at timestamptz not null,
  stopped_at timestamptz,
  check ((state = 'stopped') = (stopped_at is not null))
);

create index capture_sessions_by_account on capture_sessions (account_id, id desc);
create index capture_sessions_by_expiry on capture_sessions (expires_at);

select millrace_isolate('capture_sessions');

create table capture_events (
  session_id uuid not null references capture_sessions (id) on delete cascade,
  account_id uuid not null,
  sequence bigint not null,
  event jsonb not null,
  primary key (session_id, sequence)
);

create index capture_events_by_account on capture_events (account_id);

select millrace_isolate('capture_events');
