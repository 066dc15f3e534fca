-- Usage by account, meter and hour. Executions are counted from their own rows, by the time in their ids, so an execution counts once
-- whatever crashes; other meters are recorded in the transaction of what is metered.
create table usage_hours (
  -- Without a reference: the executions of a deleted account are counted until they have ended.
  account_id uuid not null,
  meter text not null,
  hour timestamptz not null,
  amount bigint not null check (amount >= 0),
  primary key (account_id, meter, hour)
);

select millrace_isolate('usage_hours');

-- Hours whose executions are counted. Each is counted twice: soon after its end, and again before retention may delete any of them.
create table usage_counted_hours (
  hour timestamptz primary key,
  final boolean not null
);

-- What `record` has counted, so that a repetition counts nothing. Kept for as long as something may be repeated.
create table usage_records (
  account_id uuid not null references accounts (id) on delete cascade,
  meter text not null,
  source_id text not null,
  recorded_at timestamptz not null,
  primary key (account_id, meter, source_id)
);

create index usage_records_by_age on usage_records (recorded_at);

select millrace_isolate('usage_records');

-- Notices that an account got: one for each limit, threshold and period.
create table usage_notices (
  account_id uuid not null references accounts (id) on delete cascade,
  meter text not null,
  period_start timestamptz not null,
  percent integer not null,
  created_at timestamptz not null,
  primary key (account_id, meter, period_start, percent)
);

select millrace_isolate('usage_notices');
