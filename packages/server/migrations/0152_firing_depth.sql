-- How many executions caused the event that fires a trigger, so that a workflow that emits the event that starts it ends.
alter table trigger_firings add column depth smallint not null default 0;

create or replace function events_fire_triggers() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  insert into trigger_firings (id, account_id, trigger_id, cause, due_at, event, ready_at, depth)
  select millrace_uuid_v7(), e.account_id, t.id, 'event:' || e.id, now(), e.envelope, now(), e.depth
  from fresh e join triggers t on t.account_id = e.account_id
  where t.kind = 'event' and t.enabled and not starts_with(e.type, 'io.serverlessworkflow.') and event_type_matches(e.type, t.event_types)
  on conflict (trigger_id, cause) do nothing;
  return null;
end
$$;
