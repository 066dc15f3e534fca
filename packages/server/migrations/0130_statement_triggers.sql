-- The engine writes many executions in one statement. Triggers of rows called a function for each execution and each table that follows them;
-- these are called once for a statement.

drop trigger executions_audit_started on executions;
drop trigger executions_audit_ended on executions;
drop trigger executions_change_started on executions;
drop trigger executions_change_state on executions;
drop trigger audit_events_pending on audit_events;
drop function audit_execution_changed();
drop function execution_changed();
drop function audit_events_await_leaf();

-- One row for the executions of an account that a statement has started or ended.
alter table audit_pending_executions add column execution_ids uuid[];
update audit_pending_executions set execution_ids = array[execution_id];
alter table audit_pending_executions alter column execution_ids set not null, drop column execution_id;

create function audit_executions_started() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  -- An execution that has ended when it is inserted has one event, of its end.
  insert into audit_pending_executions (account_id, execution_ids, phase)
  select account_id, array_agg(id), case when ended_at is null then 'started' else 'ended' end
  from new_rows group by account_id, ended_at is null;
  return null;
end
$$;

create trigger executions_audit_started after insert on executions
  referencing new table as new_rows for each statement execute function audit_executions_started();

create function audit_executions_ended() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  -- Most statements that claim, park or signal executions end none.
  if not exists (select from new_rows where ended_at is not null) then return null; end if;
  insert into audit_pending_executions (account_id, execution_ids, phase)
  select n.account_id, array_agg(n.id), 'ended'
  from new_rows n join old_rows o on o.id = n.id where o.ended_at is null and n.ended_at is not null group by n.account_id;
  return null;
end
$$;

create trigger executions_audit_ended after update on executions
  referencing old table as old_rows new table as new_rows for each statement execute function audit_executions_ended();

create function executions_report_started() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  if not exists (select from account_watches where until > now()) then return null; end if;
  perform millrace_report_change(
    n.account_id,
    case when n.ended_at is not null then 'execution.ended' else 'execution.started' end,
    json_build_object('id', n.id, 'workflowId', n.workflow_id, 'state', n.state, 'trigger', n.trigger)
  ) from new_rows n where n.account_id in (select w.account_id from account_watches w where w.until > now());
  return null;
end
$$;

create trigger executions_change_started after insert on executions
  referencing new table as new_rows for each statement execute function executions_report_started();

create function executions_report_changed() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  if not exists (select from account_watches where until > now()) then return null; end if;
  perform millrace_report_change(
    n.account_id,
    case
      when n.ended_at is not null then 'execution.ended'
      when n.state in ('waiting', 'suspended') then 'execution.' || n.state
      else 'execution.resumed'
    end,
    json_build_object('id', n.id, 'workflowId', n.workflow_id, 'state', n.state, 'trigger', n.trigger)
  ) from new_rows n join old_rows o on o.id = n.id
  where n.account_id in (select w.account_id from account_watches w where w.until > now())
    and o.state is distinct from n.state and (n.state not in ('pending', 'running') or o.state in ('waiting', 'suspended'));
  return null;
end
$$;

create trigger executions_change_state after update on executions
  referencing old table as old_rows new table as new_rows for each statement execute function executions_report_changed();

-- Security definer: the role of accounts inserts events and has no right to this table.
create function audit_events_await_leaf() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  insert into audit_pending (event_id) select id from new_rows;
  return null;
end
$$;

create trigger audit_events_pending after insert on audit_events
  referencing new table as new_rows for each statement execute function audit_events_await_leaf();
