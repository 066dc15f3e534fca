-- Durable executions. The engine writes these tables with the rights of their owner, many accounts in one statement, so row-level security
-- does not apply; reads for one account run under `millrace_account`, where it does.

-- A process. Its row is the fence: every write of the process locks it FOR KEY SHARE, and recovery deletes it before it requeues the
-- executions of the process, so a process that was only slow cannot write any more.
create table processes (
  id uuid primary key,
  host text not null,
  pid integer not null,
  started_at timestamptz not null,
  heartbeat_at timestamptz not null,
  -- Whether it runs executions: an account's share is counted over these processes.
  works boolean not null default true
) with (fillfactor = 50);

-- Processes that ended abnormally, kept for a day: a crash suspect is tried only after a time without crashes.
create table process_crashes (
  id uuid primary key,
  host text not null,
  crashed_at timestamptz not null
);

create index process_crashes_by_time on process_crashes (crashed_at);

-- Partitioned by the time of its UUIDv7, so that retention drops whole partitions (postgres/storage/retention).
-- Payloads are `json`, not `jsonb`: they are returned as they were given (order of keys, numbers, \u0000), and never searched.
-- There are no foreign keys: each would cost two look-ups and a row lock for every execution.
create table executions (
  id uuid,
  account_id uuid not null,
  workflow_id uuid not null,
  version_id uuid not null,
  state text not null check (state in ('pending', 'running', 'waiting', 'suspended', 'completed', 'faulted', 'cancelled')),
  trigger text not null,
  -- Who started it, as kind:id; the row itself is the audit record of the start.
  actor text not null,
  parent_id uuid,
  -- Workflows above it; bounded, so that a workflow that runs itself ends.
  depth smallint not null default 0,
  input json not null,
  output json,
  error json,
  decisions text not null default '',
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- The earliest timer of a waiting execution; null where only a message can resume it.
  wake_at timestamptz,
  claimed_by uuid,
  -- Processes that ended abnormally while they ran it, since its last journal entry.
  crash_count smallint not null default 0,
  -- The last journal entry at the last recovery.
  recovered_seq integer not null default -1,
  cancel_requested_at timestamptz,
  -- Set when its process has to act: after a cancel, a suspend, the end of a child, a message.
  signalled_at timestamptz,
  -- Its process starts no further tasks.
  suspend_requested_at timestamptz,
  -- What it returned to the caller before its end.
  reply json,
  -- The ended execution that it retries; that one stays as it was.
  retry_of uuid,
  -- When its process crashed last, since its last journal entry.
  crashed_at timestamptz,
  -- Whether it runs as the only suspect of its process, after a time without crashes.
  on_trial boolean not null default false,
  -- Crashes in a row during a trial.
  failed_trials smallint not null default 0
) partition by range (id);

alter table executions add primary key (id);
-- Lists of an account and of a workflow, newest first; ids are UUIDv7, so their order is that of creation.
create index executions_by_account on executions (account_id, id desc);
-- Nulls last, an order that the primary key does not have: else the planner scans that for a workflow without executions.
create index executions_by_workflow on executions (workflow_id, id desc nulls last);
-- Lists by state, by trigger, or by both: one ordered scan for each pair that the filter admits, so that a page costs the same however rare
-- its executions are. Nulls last for the reason above.
create index executions_by_filter on executions (workflow_id, state, trigger, id desc nulls last);
-- Small: only claimed, and only waiting executions.
create index executions_by_claim on executions (claimed_by) where claimed_by is not null;
create index executions_signalled on executions (claimed_by) where signalled_at is not null;
create index executions_by_wake on executions (wake_at) where state = 'waiting' and wake_at is not null;
create index executions_pending on executions (created_at) where state = 'pending';
create index executions_by_parent on executions (parent_id) where parent_id is not null;
-- Counts of waiting executions, for the health of the installation.
create index executions_waiting on executions (account_id) where state = 'waiting';

select millrace_isolate('executions', privileges => 'select');

-- The journals: append-only, in partitions like those of the executions. An entry of the phase `started` says that an effect with a later
-- outcome was begun (a child), one of the phase `ended` has the outcome. `decisions` are the choices of the control flow since the entry
-- before in the same lane.
create table journal (
  execution_id uuid,
  seq integer,
  account_id uuid not null,
  position text not null,
  phase text not null check (phase in ('started', 'ended')),
  kind text not null,
  ok boolean not null,
  value json not null,
  decisions text not null,
  started_at timestamptz not null,
  ended_at timestamptz not null
) partition by range (execution_id);

alter table journal add primary key (execution_id, seq);

select millrace_isolate('journal', privileges => 'select');

-- The first partitions: `kept` takes over executions that outlive their partition; it ends where the first dated partition begins. `default`
-- is usually empty, since partitions are made ahead of time; its rows move to their partition when that is made.
do $$
declare
  -- The least UUIDv7 of today (RFC 9562).
  today uuid := (lpad(to_hex(floor(extract(epoch from date_trunc('day', now(), 'UTC')) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid;
begin
  execute format('create table executions_kept partition of executions for values from (minvalue) to (%L)', today);
  execute format('create table journal_kept partition of journal for values from (minvalue) to (%L)', today);
end
$$;
create table executions_default partition of executions default;
create table journal_default partition of journal default;

-- Values above some 2 kB are stored out of line, compressed; lz4 takes a fraction of the time of pglz, where PostgreSQL was built with it.
do $$
declare
  one record;
begin
  if not exists (select from pg_settings where name = 'default_toast_compression' and 'lz4' = any(enumvals)) then return; end if;
  for one in select c.oid::regclass as name, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and a.atttypid = 'json'::regtype and not a.attisdropped
      and (c.oid in ('executions'::regclass, 'journal'::regclass)
        or c.oid in (select inhrelid from pg_inherits where inhparent in ('executions'::regclass, 'journal'::regclass)))
  loop
    execute format('alter table %s alter column %I set compression lz4', one.name, one.attname);
  end loop;
end
$$;

-- Values that are unique over all partitions have tables of their own.

-- The Idempotency-Key of a start and a digest of its request, kept for at least a day.
create table execution_keys (
  account_id uuid not null,
  key text not null,
  execution_id uuid not null,
  digest text not null,
  primary key (account_id, key)
);

-- Ids are UUIDv7, so their order is that of age.
create index execution_keys_by_execution on execution_keys (execution_id);

select millrace_isolate('execution_keys', privileges => 'select');

-- The execution that retries an ended one: at most one.
create table execution_retries (
  retry_of uuid primary key,
  account_id uuid not null,
  execution_id uuid not null,
  -- Idempotency-Keys of effects of the retried execution whose outcome is unknown, by the position at which the new one performs them.
  keys json
);

select millrace_isolate('execution_retries', privileges => 'select');

-- Work that is not retried any more, kept whole, to be repaired and replayed.
create table dead_letters (
  id uuid primary key,
  account_id uuid not null,
  execution_id uuid,
  reason text not null,
  attempts integer not null,
  payload json not null,
  created_at timestamptz not null,
  kind text not null default 'execution' check (kind in ('execution', 'event_delivery')),
  workflow_id uuid generated always as ((payload ->> 'workflowId')::uuid) stored,
  subscription_id uuid,
  delivery_id uuid,
  replayed_at timestamptz,
  -- As kind:id.
  replayed_by text,
  -- The execution that continues it.
  replayed_as uuid,
  check ((kind = 'execution') = (execution_id is not null)),
  check ((kind = 'event_delivery') = (delivery_id is not null))
);

create index dead_letters_by_account on dead_letters (account_id, id desc);
create index dead_letters_open on dead_letters (account_id, id) where replayed_at is null;
create index dead_letters_by_workflow on dead_letters (account_id, workflow_id, id desc) where workflow_id is not null;
create index dead_letters_by_age on dead_letters (created_at);
-- An execution with an open dead letter is kept, since a replay continues it.
create index dead_letters_of_execution on dead_letters (execution_id) where replayed_at is null and execution_id is not null;

-- The account's role inserts: disabling a subscription makes dead letters of its pending deliveries.
select millrace_isolate('dead_letters');
