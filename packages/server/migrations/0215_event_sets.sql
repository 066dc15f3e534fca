-- Workflows whose definition names several events that start them together (`schedule.on` with `all` or `until`).

-- The events of a complete set, in the order in which they arrived: its execution gets them together.
alter table trigger_firings add column events json;

-- Events that wait for the others of their set. The transaction that adds an event deletes its firing, so that each event is in one set.
create table trigger_event_sets (
  id uuid primary key,
  account_id uuid not null,
  trigger_id uuid not null references triggers (id) on delete cascade,
  -- The values by which further events are recognized.
  correlated json not null,
  -- The filters that have had an event: `event 0`, `until 1`.
  passed text[] not null,
  events json[] not null,
  bytes integer not null,
  -- How many executions caused the events, one after the other.
  depth smallint not null,
  opened_at timestamptz not null
);

create index trigger_event_sets_of_trigger on trigger_event_sets (trigger_id, id);
create index trigger_event_sets_by_account on trigger_event_sets (account_id);
create index trigger_event_sets_by_time on trigger_event_sets (opened_at);

select millrace_isolate('trigger_event_sets');
