-- Events go out to those who subscribed to them, and what could not be done is kept to be replayed.

-- A UUIDv7 (RFC 9562) for rows that the database makes by itself; its first 48 bits are milliseconds since the epoch.
create function millrace_uuid_v7() returns uuid
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid()) placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid
$$;

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
  -- Signs as well until its time is over.
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

select millrace_isolate('event_subscriptions');

-- An event on its way to one subscription.
create table event_deliveries (
  id uuid primary key,
  account_id uuid not null,
  subscription_id uuid not null,
  -- Null for a test, which is not on the bus.
  event_id uuid,
  event_type text not null,
  -- The event itself where it is not on the bus, or not any more.
  event json,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempts smallint not null default 0,
  -- When it is to be tried next; for one that is under way, when its process is given up. Null once it has ended.
  due_at timestamptz,
  -- While it is under way.
  claimed_until timestamptz,
  -- What came of the latest attempts, oldest first.
  history jsonb not null default '[]',
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'pending') = (ended_at is null)),
  check ((state = 'pending') = (due_at is not null))
);

-- Led by the subscription: the first of each is what is due next, found in one descent however many wait behind it.
create index event_deliveries_due on event_deliveries (subscription_id, due_at) where state = 'pending';
create index event_deliveries_claimed on event_deliveries (subscription_id) where claimed_until is not null;
create index event_deliveries_by_subscription on event_deliveries (subscription_id, id desc);
create index event_deliveries_by_end on event_deliveries (ended_at) where ended_at is not null;
-- An event that is still to be delivered is not deleted.
create index event_deliveries_of_event on event_deliveries (event_id) where state = 'pending';

select millrace_isolate('event_deliveries');

-- Whether an event of a type goes to who named these types. Those of executions and tasks only go where a type begins so.
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

-- Whoever puts an event on the bus makes its deliveries in the same statement, so none is missed and none made twice, and no process has to look for
-- events that were not passed on yet. For an account without subscriptions it is one look into an index.
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

-- Lists of events by their type or source, newest first.
create index events_by_type on events (account_id, type, id desc);
create index events_by_origin on events (account_id, source, id desc);

alter table dead_letters
  alter column execution_id drop not null,
  add column kind text not null default 'execution' check (kind in ('execution', 'event_delivery')),
  add column workflow_id uuid generated always as ((payload ->> 'workflowId')::uuid) stored,
  add column subscription_id uuid,
  add column delivery_id uuid,
  add column replayed_at timestamptz,
  -- As kind:id.
  add column replayed_by text,
  -- The execution that goes on from it.
  add column replayed_as uuid,
  add check ((kind = 'execution') = (execution_id is not null)),
  add check ((kind = 'event_delivery') = (delivery_id is not null));

create index dead_letters_open on dead_letters (account_id, id) where replayed_at is null;
create index dead_letters_by_workflow on dead_letters (account_id, workflow_id, id desc) where workflow_id is not null;
create index dead_letters_by_age on dead_letters (created_at);

-- Whoever disables a subscription turns what was still to be delivered into dead letters.
grant insert on table dead_letters to millrace_account;
