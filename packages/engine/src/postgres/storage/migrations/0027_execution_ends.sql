-- Executions that have ended and were not evaluated yet. The statement that ends executions inserts one row for each account of its batch, so no end
-- is missed, and an end costs the engine a fraction of a row.
create table execution_ends (
  id bigint generated always as identity primary key,
  account_id uuid not null,
  execution_ids uuid[] not null
);

select millrace_isolate('execution_ends', privileges => 'select');

-- A member of an error as text, cut; null where it is absent or no text of PostgreSQL, which has no NUL.
create function millrace_error_part(error json, name text, length integer) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return left(error ->> name, length);
exception
  when others then return null;
end
$$;
