-- Events go out to the subscriptions of their account.

create table event_subscriptions (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  url text not null,
  -- Exact, or with a trailing *.
  types text[] not null,
  enabled boolean not null,
  -- Why it was disabled other than by hand.
  disabled_reason text,
  -- Since when every attempt has failed.
  failing_since timestamptz,
  -- Sealed under the secret key of the installation.
  secret bytea not null,
  -- Signs as well until its time has passed.
  previous_secret bytea,
  previous_secret_until timestamptz,
  revision integer not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  check (num_nulls(previous_secret, previous_secret_until) in (0, 2))
);

create index event_subscriptions_by_account on event_subscriptions (account_id, id desc);

-- Whether types admit lifecycle events. The few accounts that subscribe to these are found by an index.
create function event_types_name_lifecycle(types text[]) returns boolean
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from unnest(types) as named where starts_with(named, 'io.serverlessworkflow.'))
$$;

create index event_subscriptions_of_lifecycle on event_subscriptions (account_id) where enabled and event_types_name_lifecycle(types);

select millrace_isolate('event_subscriptions');

-- One event to be sent to one subscription.
create table event_deliveries (
  id uuid primary key,
  account_id uuid not null,
  subscription_id uuid not null,
  -- Null for a test event, which is not on the bus.
  event_id uuid,
  event_type text not null,
  -- The event itself where it is not, or no longer, on the bus.
  event json,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempts smallint not null default 0,
  -- The time of the next attempt; during an attempt, the end of its claim. Null once it has ended.
  due_at timestamptz,
  -- During an attempt.
  claimed_until timestamptz,
  -- Results of the latest attempts, oldest first.
  history jsonb not null default '[]',
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'pending') = (ended_at is null)),
  check ((state = 'pending') = (due_at is not null))
);

-- By subscription first: one descent finds the next due delivery of each, however many are pending.
create index event_deliveries_due on event_deliveries (subscription_id, due_at) where state = 'pending';
create index event_deliveries_claimed on event_deliveries (account_id, subscription_id) where claimed_until is not null;
create index event_deliveries_by_subscription on event_deliveries (subscription_id, id desc);
create index event_deliveries_by_end on event_deliveries (ended_at) where ended_at is not null;
-- An event with a pending delivery is not deleted.
create index event_deliveries_of_event on event_deliveries (event_id) where state = 'pending';

select millrace_isolate('event_deliveries');

-- Whether an event of a type goes to a subscription to these types. Lifecycle events need a type that begins with their prefix.
create function event_type_matches(type text, types text[]) returns boolean
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from unnest(types) as named
    where named = type
      or (right(named, 1) = '*' and starts_with(type, left(named, -1))
        and (not starts_with(type, 'io.serverlessworkflow.') or starts_with(named, 'io.serverlessworkflow.')))
  )
$$;

-- The statement that inserts an event also inserts its deliveries, so none is missed or duplicated, and no process has to search for events
-- without deliveries. For an account without subscriptions it costs one index look-up.
create function events_fan_out() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  insert into event_deliveries (id, account_id, subscription_id, event_id, event_type, state, due_at, created_at)
  select millrace_uuid_v7(), e.account_id, s.id, e.id, e.type, 'pending', now(), now()
  from fresh e join event_subscriptions s on s.account_id = e.account_id
  where s.enabled and event_type_matches(e.type, s.types);
  return null;
end
$$;

create trigger events_fan_out after insert on events referencing new table as fresh
  for each statement execute function events_fan_out();
