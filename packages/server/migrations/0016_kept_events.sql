-- What is kept is found by what those correlate by who begin to listen, and what nobody has looked at is found account by account.

-- An event that nobody took, for each filter that it passes; gone when somebody takes it. Nobody but the matcher writes it.
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

alter table event_filters
  -- Since when everything kept that passes the filter is in `kept_events`; null until somebody has listened with it.
  add column kept_since timestamptz,
  -- Until then, the last event that was held against it for that.
  add column kept_to uuid;

drop index events_unmatched;
create index events_unmatched on events (account_id, id) where matched_at is null;
drop index listeners_unmatched;
create index listeners_unmatched on listeners (account_id, id) where matched_at is null;
