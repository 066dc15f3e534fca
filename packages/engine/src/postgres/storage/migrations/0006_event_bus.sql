-- The event bus of an account, and everything that an execution waits for.

-- An event that no listener has received is kept until it expires, for the first listener that opens.
create table events (
  id uuid primary key,
  account_id uuid not null,
  -- CloudEvents: source and id identify an event; a repeated one is ignored.
  source text not null,
  event_id text not null,
  type text not null,
  envelope json not null,
  received_at timestamptz not null,
  expires_at timestamptz not null,
  -- Null until it has been matched with all listeners.
  matched_at timestamptz,
  -- Whether an execution has received it and not released it: `takers` > 0.
  taken boolean not null default false,
  -- How often executions have received it and not released it. It is matched again when the last of them releases it, so that no execution
  -- that still has it receives it twice.
  takers integer not null default 0,
  -- The matcher works in bounded steps: listeners up to this id have been matched with an event that is not matched yet.
  matched_to uuid
);

create unique index events_by_source on events (account_id, source, event_id);
create index events_unmatched on events (account_id, id) where matched_at is null;
create index events_kept on events (account_id, type, id) where not taken;
create index events_by_account on events (account_id, id desc);
create index events_by_expiry on events (expires_at);
-- Lists by type or source, newest first.
create index events_by_type on events (account_id, type, id desc);
create index events_by_origin on events (account_id, source, id desc);

select millrace_isolate('events', privileges => 'select, insert');

-- The filters of listeners, one row for all listeners with the same filter: an event is evaluated against each filter, not each listener.
create table event_filters (
  account_id uuid not null,
  -- A digest of the filter.
  id text not null,
  -- The one type of event that can pass; null where the filter has to be evaluated.
  type text,
  filter json not null,
  used_at timestamptz not null,
  -- Since when every kept event that passes the filter is in `kept_events`; null until a listener has used it.
  kept_since timestamptz,
  -- Until then, the last kept event that was indexed for the filter.
  kept_to uuid,
  primary key (account_id, id)
);

create index event_filters_by_type on event_filters (account_id, type);
-- Accounts that listen to lifecycle events. A filter without one type can admit them only where it asks for a type by a pattern or an expression.
create index event_filters_of_lifecycle on event_filters (account_id)
  where starts_with(type, 'io.serverlessworkflow.') or (type is null and filter -> 'with' ->> 'type' is not null);

select millrace_isolate('event_filters', privileges => 'select');

-- One filter of a waiting task. An event that passes the filter finds its listeners by the values of their correlation.
create table listeners (
  id uuid primary key,
  account_id uuid not null,
  execution_id uuid not null,
  -- The position of the wait: it grows with the nesting of tasks and can be too long for an index.
  position text not null,
  role text not null check (role in ('event', 'until')),
  index smallint not null,
  -- How long the wait lasts: until one event, until one for each filter, or until its task ends it.
  takes text not null check (takes in ('one', 'each', 'many')),
  filter_id text not null,
  -- Values that the event must have, by the name of the correlation, without the names whose value the first event decides.
  expected json not null,
  open_names text[] not null,
  -- A digest of the expected values; null while not all are known.
  key text,
  -- Values of the execution that the filter's expressions read; null where they read none.
  scope json,
  -- Null until it has been matched with the kept events.
  matched_at timestamptz,
  -- The matcher works in bounded steps: kept events up to this id have been matched with a listener that is not matched yet.
  kept_to uuid
);

create index listeners_by_key on listeners (account_id, filter_id, key);
create index listeners_by_execution on listeners (execution_id);
create index listeners_unmatched on listeners (account_id, id) where matched_at is null;

select millrace_isolate('listeners', privileges => 'select');

-- The index of kept events by filter and correlation: one row for each filter that an event passes. Only the matcher inserts rows.
create table kept_events (
  account_id uuid not null,
  filter_id text not null,
  -- A digest of the values that the filter correlates by.
  key text not null,
  event_id uuid not null,
  primary key (account_id, filter_id, key, event_id)
);

create index kept_events_by_event on kept_events (event_id);

select millrace_isolate('kept_events', privileges => 'select');

-- Waits for anything but events, such as an approval; `topic` names the part that ends them.
create table waits (
  execution_id uuid not null,
  position text not null,
  account_id uuid not null,
  topic text not null,
  arguments json not null,
  opened_at timestamptz not null
);

-- A position can be too long for an index.
create unique index waits_by_position on waits (execution_id, md5(position));
create index waits_by_account on waits (account_id, topic, opened_at);

select millrace_isolate('waits', privileges => 'select');

-- Messages to waits that are not journalled yet, in the order of their arrival.
create table messages (
  id bigint generated always as identity primary key,
  account_id uuid not null,
  execution_id uuid not null,
  position text not null,
  value json not null,
  -- The event that it carries, which is released if the wait ends before the message is journalled.
  event_id uuid,
  created_at timestamptz not null default now()
);

create index messages_by_execution on messages (execution_id, id);

select millrace_isolate('messages', privileges => 'select');
