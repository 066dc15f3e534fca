-- The audit log as a transparency log: for each account and day a Merkle tree (RFC 6962) whose leaves are the events (docs/audit.md).

-- Random bytes by which the leaf commits to the address and the details of an event without revealing them.
alter table audit_events add column salt bytea not null default (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

create index audit_events_by_target on audit_events (account_id, target, at desc, id desc) where target is not null;

-- Events without a leaf, written by the trigger below in the transaction of the event. The log of the installation, whose events have no account,
-- has the account id of zeros in the tables of the log.
create table audit_pending (
  event_id uuid primary key
);

-- Security definer: the role of accounts inserts events and has no right to this table.
create function audit_events_await_leaf() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  insert into audit_pending (event_id) values (new.id);
  return null;
end
$$;

create trigger audit_events_pending after insert on audit_events for each row execute function audit_events_await_leaf();

-- Events from before this migration are logged on the first day of the log.
insert into audit_pending (event_id) select id from audit_events;

-- Starts and ends of executions that have no event yet. The engine's statement inserts only this row; the process that appends to the log
-- writes the event later, from the row of the execution.
create table audit_pending_executions (
  id bigint generated always as identity primary key,
  account_id uuid not null,
  execution_id uuid not null,
  phase text not null check (phase in ('started', 'ended'))
);

select millrace_isolate('audit_pending_executions', privileges => 'select');

create function audit_execution_changed() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  insert into audit_pending_executions (account_id, execution_id, phase)
  values (new.account_id, new.id, case when new.ended_at is null then 'started' else 'ended' end);
  return null;
end
$$;

create trigger executions_audit_started after insert on executions for each row execute function audit_execution_changed();
create trigger executions_audit_ended after update on executions for each row
  when (old.ended_at is null and new.ended_at is not null) execute function audit_execution_changed();

create table audit_days (
  account_id uuid not null,
  day date not null,
  -- Leaves, the first leaf included, which states the day before.
  size integer not null check (size > 0),
  -- The roots of the largest complete subtrees, 32 bytes each, from left to right.
  peaks bytea not null,
  root bytea not null check (octet_length(root) = 32),
  previous_day date,
  previous_size integer,
  previous_root bytea,
  -- At the last checkpoint.
  signed_size integer not null default 0,
  signed_count integer not null default 0,
  signed_at timestamptz,
  -- Set when the day is over and its last checkpoint is signed.
  closed_at timestamptz,
  primary key (account_id, day)
);

create index audit_days_unsigned on audit_days (day) where signed_size < size;
create index audit_days_open on audit_days (day) where closed_at is null;

select millrace_isolate('audit_days', privileges => 'select');

create table audit_leaves (
  account_id uuid not null,
  day date not null,
  index integer not null check (index >= 0),
  -- Null for the first leaf of a day.
  event_id uuid,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (account_id, day, index)
);

create unique index audit_leaves_by_event on audit_leaves (event_id) where event_id is not null;

select millrace_isolate('audit_leaves', privileges => 'select');

create table audit_checkpoints (
  account_id uuid not null,
  day date not null,
  size integer not null,
  -- A signed note (C2SP tlog-checkpoint).
  note text not null,
  made_at timestamptz not null,
  primary key (account_id, day, size)
);

select millrace_isolate('audit_checkpoints', privileges => 'select');

create function audit_log_refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op) using errcode = 'insufficient_privilege';
end
$$;

create trigger audit_leaves_append_only before update or delete on audit_leaves for each row execute function audit_log_refuse_change();
create trigger audit_leaves_no_truncate before truncate on audit_leaves for each statement execute function audit_log_refuse_change();
create trigger audit_checkpoints_append_only before update or delete on audit_checkpoints for each row execute function audit_log_refuse_change();
create trigger audit_checkpoints_no_truncate before truncate on audit_checkpoints for each statement execute function audit_log_refuse_change();

-- The keys that sign checkpoints and receipts, made at first use. A key that was replaced stays, so that what it signed can be verified.
create table evidence_keys (
  purpose text not null check (purpose in ('checkpoint', 'receipt')),
  name text not null,
  -- SubjectPublicKeyInfo, DER.
  public_key bytea not null,
  -- PKCS #8, sealed under the secret key of the installation.
  private_key bytea not null,
  created_at timestamptz not null,
  primary key (purpose, public_key)
);
