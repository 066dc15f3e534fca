-- What has changed in accounts, for the stream of an account (docs/stream.md). Rows exist only for accounts with a watch, and only for
-- some minutes, so that an installation without watchers pays one look-up for each change.

create table account_watches (
  account_id uuid primary key,
  until timestamptz not null,
  -- Changes of transactions from this one on are complete, while the watch lasts.
  since xid8 not null
);

select millrace_isolate('account_watches', privileges => 'select');

create table account_changes (
  id bigint generated always as identity primary key,
  account_id uuid not null,
  -- Transactions commit in another order than their ids are given: readers read only those below the oldest that is in progress.
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  -- Of a change that concerns one user alone.
  user_id uuid,
  data json not null
);

create index account_changes_by_account on account_changes (account_id, xid, id);
create index account_changes_by_time on account_changes (at);

select millrace_isolate('account_changes', privileges => 'select');

-- Security definer: the role of accounts causes changes and has no right to write this table.
create function millrace_report_change(account uuid, change text, data json, recipient uuid default null) returns void
language sql
security definer
set search_path = public, pg_temp
as $$
  insert into account_changes (account_id, kind, user_id, data)
  select w.account_id, change, recipient, data from account_watches w where w.account_id = account and w.until > now()
$$;

create function execution_changed() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  if not exists (select from account_watches w where w.account_id = new.account_id) then return null; end if;
  perform millrace_report_change(
    new.account_id,
    case
      when new.ended_at is not null then 'execution.ended'
      when tg_op = 'INSERT' then 'execution.started'
      when new.state in ('waiting', 'suspended') then 'execution.' || new.state
      else 'execution.resumed'
    end,
    json_build_object('id', new.id, 'workflowId', new.workflow_id, 'state', new.state, 'trigger', new.trigger)
  );
  return null;
end
$$;

create trigger executions_change_started after insert on executions for each row execute function execution_changed();
create trigger executions_change_state after update on executions for each row
  when (old.state is distinct from new.state and (new.state not in ('pending', 'running') or old.state in ('waiting', 'suspended')))
  execute function execution_changed();

create function approval_changed() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  perform millrace_report_change(
    new.account_id,
    case when tg_op = 'INSERT' then 'approval.opened' else 'approval.decided' end,
    json_build_object('id', new.id, 'executionId', new.execution_id, 'state', new.state)
  );
  return null;
end
$$;

create trigger approvals_change_opened after insert on approvals for each row execute function approval_changed();
create trigger approvals_change_decided after update on approvals for each row
  when (old.state = 'open' and new.state <> 'open') execute function approval_changed();

create function trigger_was_paused() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  perform millrace_report_change(
    new.account_id, 'trigger.paused',
    json_build_object('id', new.id, 'workflowId', new.workflow_id, 'name', new.name, 'reason', new.paused_reason)
  );
  return null;
end
$$;

create trigger triggers_change_paused after update on triggers for each row
  when (old.paused_reason is null and new.paused_reason is not null) execute function trigger_was_paused();

create function notification_changed() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  perform millrace_report_change(
    new.account_id, 'notification',
    json_build_object('id', new.id, 'kind', new.kind, 'title', new.title, 'link', new.link, 'count', new.count),
    new.user_id
  );
  return null;
end
$$;

create trigger notifications_change_new after insert on notifications for each row when (new.in_app) execute function notification_changed();
create trigger notifications_change_again after update on notifications for each row
  when (new.in_app and new.count > old.count) execute function notification_changed();

create function version_was_published() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  perform millrace_report_change(
    new.account_id, 'workflow.published', json_build_object('workflowId', new.workflow_id, 'version', new.number)
  );
  return null;
end
$$;

create trigger workflow_versions_change after insert on workflow_versions for each row execute function version_was_published();
