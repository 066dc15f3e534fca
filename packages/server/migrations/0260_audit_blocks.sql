-- Events of executions in the audit log, many in one row with their leaves. One event was a row with three index entries, a leaf with two, and a row
-- in a list of waiting events, which was more than the execution itself. Other events are rows of audit_events as before.

create table audit_blocks (
  account_id uuid not null,
  day date not null,
  -- Place of the first event in the log of the day; the others follow it.
  first_index integer not null check (first_index > 0),
  size integer not null check (size between 1 and 1000),
  -- Milliseconds in the ids of the events, which are those of their executions: finds the block of an execution.
  created int8range not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- What many of the events share: {"event": …, "details": {…}}.
  bases jsonb[] not null,
  -- One element for each event: the number of its base, from 1 on, and what it has of its own.
  base_numbers smallint[] not null check (cardinality(base_numbers) = size),
  event_ids uuid[] not null check (cardinality(event_ids) = size),
  targets text[] not null check (cardinality(targets) = size),
  times timestamptz[] not null check (cardinality(times) = size),
  started_times timestamptz[] not null check (cardinality(started_times) = size),
  input_digests bytea[] not null check (cardinality(input_digests) = size),
  -- Null for an execution without an output.
  output_digests bytea[] not null check (cardinality(output_digests) = size),
  salts bytea[] not null check (cardinality(salts) = size),
  hashes bytea[] not null check (cardinality(hashes) = size),
  primary key (account_id, day, first_index)
);

-- Digests and random bytes cannot be compressed.
alter table audit_blocks
  alter column event_ids set storage external, alter column targets set storage external, alter column times set storage external,
  alter column started_times set storage external, alter column input_digests set storage external,
  alter column output_digests set storage external, alter column salts set storage external, alter column hashes set storage external;

create index audit_blocks_by_time on audit_blocks (account_id, last_at desc, day desc, first_index desc);
create index audit_blocks_by_execution on audit_blocks using gist (created);

select millrace_isolate('audit_blocks', privileges => 'select');

create trigger audit_blocks_append_only before update or delete on audit_blocks for each row execute function audit_log_refuse_change();
create trigger audit_blocks_no_truncate before truncate on audit_blocks for each statement execute function audit_log_refuse_change();
