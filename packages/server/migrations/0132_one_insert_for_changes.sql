-- The changes of a statement are one insert. Only the owner of `executions` writes them, so their triggers may write account_changes themselves.

create or replace function executions_report_started() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  if not exists (select from account_watches where until > now()) then return null; end if;
  insert into account_changes (account_id, kind, data)
  select n.account_id, case when n.ended_at is not null then 'execution.ended' else 'execution.started' end,
    json_build_object('id', n.id, 'workflowId', n.workflow_id, 'state', n.state, 'trigger', n.trigger)
  from new_rows n join account_watches w on w.account_id = n.account_id and w.until > now();
  return null;
end
$$;

create or replace function executions_report_changed() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  if not exists (select from account_watches where until > now()) then return null; end if;
  insert into account_changes (account_id, kind, data)
  select n.account_id,
    case
      when n.ended_at is not null then 'execution.ended'
      when n.state in ('waiting', 'suspended') then 'execution.' || n.state
      else 'execution.resumed'
    end,
    json_build_object('id', n.id, 'workflowId', n.workflow_id, 'state', n.state, 'trigger', n.trigger)
  from new_rows n join old_rows o on o.id = n.id join account_watches w on w.account_id = n.account_id and w.until > now()
  where o.state <> n.state and (n.state not in ('pending', 'running') or o.state in ('waiting', 'suspended'));
  return null;
end
$$;
