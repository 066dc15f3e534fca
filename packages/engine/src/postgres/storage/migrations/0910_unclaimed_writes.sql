-- Aborts a flush that updates executions to which its process has no claim, with their ids in the detail (flush-statement.ts). It is called for
-- its error, so that the usual flush needs no further statement and no transaction.
create function millrace_refuse_unclaimed(ids uuid[]) returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'executions are not claimed by the process that writes them' using errcode = 'MR001', detail = array_to_string(ids, ' ');
end
$$;
