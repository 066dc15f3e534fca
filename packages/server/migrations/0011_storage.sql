-- Storage is bounded: executions and their journals lie in partitions by the time of their ids, which are dropped as a whole.

-- What has to be unique over all partitions lies beside them, in tables that are as small as what they are for.

-- The caller's Idempotency-Key of a start and a digest of the request that it came with, for a day or longer.
create table execution_keys (
  account_id uuid not null,
  key text not null,
  execution_id uuid not null,
  digest text not null,
  primary key (account_id, key)
);

-- Ids are UUIDv7, so their order is that of age.
create index execution_keys_by_execution on execution_keys (execution_id);

select millrace_isolate('execution_keys', privileges => 'select');

-- Which execution goes on from an ended one: at most one does.
create table execution_retries (
  retry_of uuid primary key,
  account_id uuid not null,
  execution_id uuid not null
);

select millrace_isolate('execution_retries', privileges => 'select');

-- How long an account keeps what has ended. Workflows say it in their definition, the installation in its configuration.
create table account_retention (
  account_id uuid primary key references accounts (id) on delete cascade,
  -- Null keeps everything.
  milliseconds bigint check (milliseconds > 0)
);

select millrace_isolate('account_retention', privileges => 'select');

-- What a definition says of it, as an ISO 8601 duration, and of which versions.
alter table workflow_versions add column retention text generated always as (definition #>> '{document,metadata,retention}') stored;
create index workflow_versions_retention on workflow_versions (id) where retention is not null;

-- An execution whose dead letter is open is kept as long as the letter is, since replaying the letter goes on from it.
create index dead_letters_of_execution on dead_letters (execution_id) where replayed_at is null and execution_id is not null;

insert into execution_keys (account_id, key, execution_id, digest)
  select account_id, idempotency_key, id, coalesce(idempotency_digest, '') from executions where idempotency_key is not null;
insert into execution_retries (retry_of, account_id, execution_id)
  select retry_of, account_id, id from executions where retry_of is not null;

drop index executions_by_idempotency_key;
drop index executions_by_retry_of;
alter table executions drop column idempotency_key, drop column idempotency_digest;

-- What is there becomes the first partition as it is. Names of indexes go with the table that is left under the name.
do $$
declare
  one record;
begin
  for one in select i.relname, x.indrelid from pg_index x join pg_class i on i.oid = x.indexrelid
    where x.indrelid in ('executions'::regclass, 'journal'::regclass)
  loop
    execute format('alter index %I rename to %I', one.relname, 'first_' || one.relname);
  end loop;
end
$$;
alter table executions rename to executions_first;
alter table journal rename to journal_first;
drop policy account_isolation on executions_first;
drop policy account_isolation on journal_first;
revoke all on executions_first, journal_first from millrace_account;

create table executions (like executions_first including defaults including constraints) partition by range (id);
create table journal (like journal_first including defaults including constraints) partition by range (execution_id);
alter table executions add primary key (id);
alter table journal add primary key (execution_id, seq);

-- Lists of an account and of a workflow, newest first; ids are UUIDv7, so their order is that of creation.
create index executions_by_account on executions (account_id, id desc);
-- Nulls last, as no scan of the primary key comes: else the planner walks that for a workflow that it thinks common and that has none.
create index executions_by_workflow on executions (workflow_id, id desc nulls last);
create index executions_by_filter on executions (workflow_id, state, trigger, id desc nulls last);
-- Small: only what is claimed now, and what waits for a time.
create index executions_by_claim on executions (claimed_by) where claimed_by is not null;
create index executions_signalled on executions (claimed_by) where signalled_at is not null;
create index executions_by_wake on executions (wake_at) where state = 'waiting' and wake_at is not null;
create index executions_pending on executions (created_at) where state = 'pending';
create index executions_by_parent on executions (parent_id) where parent_id is not null;
create index executions_waiting on executions (account_id) where state = 'waiting';

select millrace_isolate('executions', privileges => 'select');
select millrace_isolate('journal', privileges => 'select');

-- The least UUIDv7 of a time (RFC 9562).
create function millrace_least_id(at timestamptz) returns uuid
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

do $$
declare
  today timestamptz := date_trunc('day', now(), 'UTC');
  -- What is older than all partitions: executions that outlive theirs are moved there.
  kept_below uuid := millrace_least_id(today);
  first_below uuid := millrace_least_id(today + interval '1 day');
  oldest uuid;
begin
  select id into oldest from executions_first order by id limit 1;
  kept_below := least(kept_below, oldest);
  execute format('create table executions_kept partition of executions for values from (minvalue) to (%L)', kept_below);
  execute format('create table journal_kept partition of journal for values from (minvalue) to (%L)', kept_below);
  -- Nothing should ever come here: partitions are made ahead. What does come is moved to its partition when that is made.
  create table executions_default partition of executions default;
  create table journal_default partition of journal default;
  if oldest is null then
    drop table executions_first;
    drop table journal_first;
    return;
  end if;
  -- Ids that are no time, as a clock far ahead makes them, and journals of executions that are gone.
  with strays as (delete from journal_first where execution_id < kept_below or execution_id >= first_below returning *)
    insert into journal select * from strays;
  with strays as (delete from executions_first where id >= first_below returning *) insert into executions select * from strays;
  execute format('alter table executions attach partition executions_first for values from (%L) to (%L)', kept_below, first_below);
  execute format('alter table journal attach partition journal_first for values from (%L) to (%L)', kept_below, first_below);
end
$$;

-- What is larger than some 2 kB lies out of line, compressed; lz4 takes a fraction of the time that pglz takes, where PostgreSQL was built with it.
do $$
declare
  one record;
begin
  if not exists (select from pg_settings where name = 'default_toast_compression' and 'lz4' = any(enumvals)) then return; end if;
  for one in select c.oid::regclass as name, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and a.atttypid = 'json'::regtype and not a.attisdropped
      and (c.oid in ('executions'::regclass, 'journal'::regclass)
        or c.oid in (select inhrelid from pg_inherits where inhparent in ('executions'::regclass, 'journal'::regclass)))
  loop
    execute format('alter table %s alter column %I set compression lz4', one.name, one.attname);
  end loop;
end
$$;

drop function millrace_least_id(timestamptz);
