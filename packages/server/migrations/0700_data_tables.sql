-- Rows that workflows and people keep, in tables with names.
create table data_tables (
  account_id uuid not null,
  name text collate "C" not null,
  row_count int not null default 0,
  bytes bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, name)
);

create table data_rows (
  account_id uuid not null,
  table_name text collate "C" not null,
  -- In bytewise order, so that a prefix is a range of the index.
  key text collate "C" not null,
  -- An object: the columns of the row.
  content json not null,
  bytes int not null generated always as (octet_length(key) + octet_length(content::text)) stored,
  revision bigint not null,
  -- kind:id of a user, an API key or an execution.
  written_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  primary key (account_id, table_name, key),
  foreign key (account_id, table_name) references data_tables (account_id, name)
);

create index data_rows_by_end on data_rows (expires_at) where expires_at is not null;

-- What the calls of executions gave, so that a call that is repeated after a crash changes nothing and gives the same.
create table data_row_calls (
  account_id uuid not null,
  call text not null,
  output json not null,
  at timestamptz not null,
  primary key (account_id, call)
);

create index data_row_calls_by_age on data_row_calls (at);

-- The counters of a table follow its rows, also when an erasure changes them. A change that keeps the number and the size of the rows does not touch the table, so that
-- writers of counters do not wait for each other.
create function count_data_rows() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'INSERT' then
    update data_tables t set row_count = t.row_count + c.rows, bytes = t.bytes + c.bytes, updated_at = now()
    from (select account_id, table_name, count(*) as rows, sum(bytes) as bytes from new_rows group by account_id, table_name) c
    where t.account_id = c.account_id and t.name = c.table_name;
  elsif tg_op = 'DELETE' then
    update data_tables t set row_count = t.row_count - c.rows, bytes = t.bytes - c.bytes, updated_at = now()
    from (select account_id, table_name, count(*) as rows, sum(bytes) as bytes from old_rows group by account_id, table_name) c
    where t.account_id = c.account_id and t.name = c.table_name;
  else
    update data_tables t set bytes = t.bytes + c.bytes, updated_at = now()
    from (
      select account_id, table_name, sum(bytes) as bytes from (
        select account_id, table_name, bytes from new_rows union all select account_id, table_name, -bytes from old_rows
      ) changed group by account_id, table_name having sum(bytes) <> 0
    ) c
    where t.account_id = c.account_id and t.name = c.table_name;
  end if;
  return null;
end $$;

create trigger data_rows_inserted after insert on data_rows referencing new table as new_rows
  for each statement execute function count_data_rows();
create trigger data_rows_updated after update on data_rows referencing old table as old_rows new table as new_rows
  for each statement execute function count_data_rows();
create trigger data_rows_deleted after delete on data_rows referencing old table as old_rows
  for each statement execute function count_data_rows();

select millrace_isolate('data_tables');
select millrace_isolate('data_rows');
select millrace_isolate('data_row_calls');
