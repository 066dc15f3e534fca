-- What starts workflows other than a request: schedules, webhooks, events, people.

create table triggers (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  workflow_id uuid not null,
  kind text not null check (kind in ('manual', 'schedule', 'webhook', 'event')),
  -- `definition`: made of the schedule in the definition, and replaced when a version is published.
  origin text not null check (origin in ('user', 'definition')),
  name text not null check (char_length(name) between 1 and 200),
  enabled boolean not null,
  paused_reason text,
  -- Null: the input is what the trigger itself gives.
  input json,
  mapping text,
  -- Of its kind: when a schedule is due, what a webhook accepts.
  settings json not null,
  -- Of an event trigger: exact, or with a trailing *.
  event_types text[],
  -- Of a webhook: the token in its URL and the secret of the sender, sealed under the secret key of the installation.
  token_hash bytea,
  token bytea,
  secret bytea,
  -- The next due time of a schedule; null while it is disabled and after its last one.
  next_at timestamptz,
  failures integer not null default 0,
  last_fired_at timestamptz,
  last_execution_id uuid,
  last_error text,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  check ((kind = 'webhook') = (token_hash is not null)),
  check ((kind = 'event') = (event_types is not null))
);

create index triggers_by_account on triggers (account_id, id desc);
create index triggers_by_workflow on triggers (workflow_id, id desc);
create unique index triggers_by_token on triggers (token_hash) where token_hash is not null;
-- Only enabled schedules have a next time: 10,000 that are due are one range of this index.
create index triggers_due on triggers (next_at) where next_at is not null;
create index triggers_of_events on triggers (account_id) where kind = 'event' and enabled;

select millrace_isolate('triggers');

-- One start that a due time or an event has caused and that is not acknowledged by the engine yet. The row is locked during the start, so a
-- process that dies leaves it to the others; the engine knows its key, so a repetition starts nothing twice.
create table trigger_firings (
  id uuid primary key,
  account_id uuid not null,
  trigger_id uuid not null,
  -- Names the cause; the same cause fires a trigger once.
  cause text not null,
  due_at timestamptz not null,
  -- The event as it came, of an event trigger.
  event json,
  -- Not started before this time: later than due after a failure, and in a queue behind the previous execution.
  ready_at timestamptz not null,
  attempts smallint not null default 0,
  unique (trigger_id, cause)
);

create index trigger_firings_ready on trigger_firings (ready_at);

select millrace_isolate('trigger_firings');

-- A request to the URL of a webhook.
create table webhook_deliveries (
  id uuid primary key,
  account_id uuid not null,
  trigger_id uuid not null,
  at timestamptz not null,
  method text not null,
  address text not null,
  outcome text not null check (outcome in ('started', 'duplicate', 'refused', 'failed')),
  status smallint not null,
  reason text,
  delivery_id text,
  content_type text,
  bytes integer not null,
  -- The input before the mapping, for a replay; null of a refused request.
  content json,
  execution_id uuid
);

create index webhook_deliveries_by_trigger on webhook_deliveries (trigger_id, id desc);
create index webhook_deliveries_by_time on webhook_deliveries (at);

select millrace_isolate('webhook_deliveries');

-- As of subscriptions: the statement that inserts an event also inserts what it fires. Lifecycle events fire nothing: an execution would
-- cause the next one.
create function events_fire_triggers() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  insert into trigger_firings (id, account_id, trigger_id, cause, due_at, event, ready_at)
  select millrace_uuid_v7(), e.account_id, t.id, 'event:' || e.id, now(), e.envelope, now()
  from fresh e join triggers t on t.account_id = e.account_id
  where t.kind = 'event' and t.enabled and not starts_with(e.type, 'io.serverlessworkflow.') and event_type_matches(e.type, t.event_types)
  on conflict (trigger_id, cause) do nothing;
  return null;
end
$$;

create trigger events_fire_triggers after insert on events referencing new table as fresh
  for each statement execute function events_fire_triggers();
