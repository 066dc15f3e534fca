-- Durable execution. The engine writes these tables through the owner's pool, many accounts in one statement, which row-level
-- security does not bind; whatever reads them for an account goes through `millrace_account`, which it does.

-- A process that runs executions. Its row is the fence: every write of the process locks it FOR KEY SHARE, and whoever takes the
-- executions of a dead process deletes it first, so a process that was only slow can write nothing once it has been given up.
create table processes (
  id uuid primary key,
  host text not null,
  pid integer not null,
  started_at timestamptz not null,
  heartbeat_at timestamptz not null
) with (fillfactor = 50);

-- Payloads are `json`, not `jsonb`: they are given back as they came (order of keys, numbers, \u0000), and nothing is searched inside.
-- There are no foreign keys: each would cost two look-ups and a row lock for every execution accepted.
create table executions (
  id uuid primary key,
  account_id uuid not null,
  workflow_id uuid not null,
  version_id uuid not null,
  state text not null check (state in ('pending', 'running', 'waiting', 'suspended', 'completed', 'faulted', 'cancelled')),
  trigger text not null,
  -- Who started it, as kind:id; the row itself is the audit record of the start.
  actor text not null,
  parent_id uuid,
  -- Levels of workflows above it; bounded, so that one that runs itself comes to an end.
  depth smallint not null default 0,
  input json not null,
  output json,
  error json,
  decisions text not null default '',
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- When a waiting execution wants to go on by itself; null when only an answer from elsewhere can wake it.
  wake_at timestamptz,
  claimed_by uuid,
  -- Claims after a process died, since the last progress: what keeps killing its process is given up.
  deliveries smallint not null default 0,
  recovered_seq integer not null default -1,
  cancel_requested_at timestamptz,
  -- Set when something happened that whoever runs it should look at: a cancel, a child that ended.
  signalled_at timestamptz,
  -- The caller's Idempotency-Key and a digest of the request that it came with.
  idempotency_key text,
  idempotency_digest text
);

-- Lists of an account and of a workflow, newest first; ids are UUIDv7, so their order is that of creation.
create index executions_by_account on executions (account_id, id desc);
-- Nulls last, as no scan of the primary key comes: else the planner walks that for a workflow that it thinks common and that has none.
create index executions_by_workflow on executions (workflow_id, id desc nulls last);
-- Small: only what is claimed now, and what waits for a time.
create index executions_by_claim on executions (claimed_by) where claimed_by is not null;
create index executions_signalled on executions (claimed_by) where signalled_at is not null;
create unique index executions_by_idempotency_key on executions (account_id, idempotency_key) where idempotency_key is not null;
create index executions_by_wake on executions (wake_at) where state = 'waiting' and wake_at is not null;
create index executions_pending on executions (created_at) where state = 'pending';
create index executions_by_parent on executions (parent_id) where parent_id is not null;

select millrace_isolate('executions', privileges => 'select');

-- What an execution has durably done, append-only. `started` entries say that something was begun whose outcome comes later
-- (a child), `ended` entries hold an outcome. `decisions` are the choices of the flow since the strand's entry before.
create table journal (
  execution_id uuid not null,
  seq integer not null,
  account_id uuid not null,
  position text not null,
  phase text not null check (phase in ('started', 'ended')),
  kind text not null,
  ok boolean not null,
  value json not null,
  decisions text not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  primary key (execution_id, seq)
);

select millrace_isolate('journal', privileges => 'select');

-- Work that the platform has given up on, kept whole, to be repaired and replayed.
create table dead_letters (
  id uuid primary key,
  account_id uuid not null,
  execution_id uuid not null,
  reason text not null,
  attempts integer not null,
  payload json not null,
  created_at timestamptz not null
);
create index dead_letters_by_account on dead_letters (account_id, id desc);

select millrace_isolate('dead_letters', privileges => 'select, update, delete');
