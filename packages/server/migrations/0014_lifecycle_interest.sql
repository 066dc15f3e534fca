-- Who wants to hear of executions, so that nobody is told who does not: the accounts are few, and found without looking at the others.

create function event_types_name_lifecycle(types text[]) returns boolean
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from unnest(types) as named where starts_with(named, 'io.serverlessworkflow.'))
$$;

create index event_subscriptions_of_lifecycle on event_subscriptions (account_id) where enabled and event_types_name_lifecycle(types);

-- A filter without one type may mean these events only where it asks for a type at all: by a pattern or an expression.
create index event_filters_of_lifecycle on event_filters (account_id)
  where starts_with(type, 'io.serverlessworkflow.') or (type is null and filter -> 'with' ->> 'type' is not null);
