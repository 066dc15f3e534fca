-- Events, what waits for them, and the further states of an execution.

alter table executions
  -- Asked to be held; whoever runs it stops beginning anything.
  add column suspend_requested_at timestamptz,
  -- What it has answered to whoever waits for it, before its end or at it.
  add column answer json,
  -- The ended execution that it goes on from; that one stays as it was.
  add column retry_of uuid;

create unique index executions_by_retry_of on executions (retry_of) where retry_of is not null;

-- The bus of an account. `taken` says that somebody consumed the event; what nobody did is kept until it expires, for the first who listens.
create table events (
  id uuid primary key,
  account_id uuid not null,
  -- CloudEvents: source and id tell an event from every other; one that comes twice is the same.
  source text not null,
  event_id text not null,
  type text not null,
  envelope json not null,
  received_at timestamptz not null,
  expires_at timestamptz not null,
  -- Null until it has been held against what is waiting.
  matched_at timestamptz,
  taken boolean not null default false
);

create unique index events_by_source on events (account_id, source, event_id);
create index events_unmatched on events (id) where matched_at is null;
create index events_kept on events (account_id, type, id) where not taken;
create index events_by_account on events (account_id, id desc);
create index events_by_expiry on events (expires_at);

select millrace_isolate('events', privileges => 'select, insert');

-- What is listened for, once for all executions that listen for it: an event is held against each filter, not against each listener.
create table event_filters (
  account_id uuid not null,
  -- A digest of the filter.
  id text not null,
  -- The one type of event that can pass; null where the filter has to be asked.
  type text,
  filter json not null,
  used_at timestamptz not null,
  primary key (account_id, id)
);

create index event_filters_by_type on event_filters (account_id, type);

select millrace_isolate('event_filters', privileges => 'select');

-- A filter of a waiting task. An event that passes the filter finds its listeners by the values that it correlates by.
create table listeners (
  id uuid primary key,
  account_id uuid not null,
  execution_id uuid not null,
  -- Of the wait.
  position text not null,
  role text not null check (role in ('event', 'until')),
  index smallint not null,
  -- How long the wait lasts: until one event, until one for each filter, or until its task ends it.
  takes text not null check (takes in ('one', 'each', 'many')),
  filter_id text not null,
  -- Values that the event has to have, by the name of the correlation; names whose value the first event decides are not in it.
  expected json not null,
  open_names text[] not null,
  -- A digest of the expected values; null while not all are known.
  key text,
  -- Values that the filter's expressions read of the execution; null where they read none.
  scope json,
  -- Null until it has been held against the events that are kept.
  matched_at timestamptz
);

create index listeners_by_key on listeners (account_id, filter_id, key);
create index listeners_by_execution on listeners (execution_id, position);
create index listeners_unmatched on listeners (id) where matched_at is null;

select millrace_isolate('listeners', privileges => 'select');

-- Waits for something else than events, such as an approval; `topic` names who answers them.
create table waits (
  execution_id uuid not null,
  position text not null,
  account_id uuid not null,
  topic text not null,
  arguments json not null,
  opened_at timestamptz not null,
  primary key (execution_id, position)
);

create index waits_by_account on waits (account_id, topic, opened_at);

select millrace_isolate('waits', privileges => 'select');

-- What has come to a wait and is not in the journal yet, in the order in which it came.
create table messages (
  id bigint generated always as identity primary key,
  account_id uuid not null,
  execution_id uuid not null,
  position text not null,
  value json not null,
  -- The event that it carries, given back when nobody takes the message.
  event_id uuid,
  created_at timestamptz not null default now()
);

create index messages_by_execution on messages (execution_id, id);

select millrace_isolate('messages', privileges => 'select');
