-- Puts the kept rows of a deleted account back. Columns that are gone since are left out, and new ones get their defaults. A row is dropped if what it
-- refers to is gone, or if another one has taken its place, such as a phone number that another user has now; but for users, whose address has to be free.
-- `json` may contain \u0000, which the functions that read it refuse. A random mark, which no row contains, replaces it while they do; a backslash that is itself
-- escaped begins no such escape.
create or replace function millrace_restore_deleted_rows(account uuid) returns void
language plpgsql
set search_path = public, pg_temp
as $$
declare
  kept record;
  columns text;
  read text;
  parents text;
  mark text := gen_random_uuid()::text;
  escaped constant text := '(?<!\\)((?:\\\\)*)\\u0000';
begin
  for kept in
    select r.table_name as name, to_regclass(r.table_name)::oid as oid,
      regexp_replace(r.content::text, escaped, '\1' || mark, 'g')::jsonb as sample
    from deleted_rows r where r.account_id = account and r.position = 1 and to_regclass(r.table_name) is not null
    order by r.depth, r.table_name
  loop
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum),
      string_agg(
        format(case when a.atttypid = 'json'::regtype then 'replace(r.%I::text, $3, ''\u0000'')::json' else 'r.%I' end, a.attname),
        ', ' order by a.attnum)
    into columns, read
    from pg_attribute a
    where a.attrelid = kept.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and kept.sample ? a.attname::text;
    select string_agg(format('(%s or exists (select from %s p where %s))', p.missing, p.parent, p.matches), ' and ') into parents
    from (
      select c.confrelid::regclass as parent, string_agg(format('r.%I is null', a.attname), ' or ') as missing,
        string_agg(format('p.%I = r.%I', f.attname, a.attname), ' and ') as matches
      from pg_constraint c, unnest(c.conkey, c.confkey) as k (child, parent), pg_attribute a, pg_attribute f
      where c.conrelid = kept.oid and c.contype = 'f' and c.confrelid <> c.conrelid
        and a.attrelid = c.conrelid and a.attnum = k.child and f.attrelid = c.confrelid and f.attnum = k.parent
      group by c.oid, c.confrelid
    ) p;
    execute format(
      'insert into %1$s (%2$s) overriding system value
       select %5$s from (
         select r.*
         from deleted_rows d, json_populate_record(null::%1$s, regexp_replace(d.content::text, $4, ''\1'' || $3, ''g'')::json) r
         where d.account_id = $1 and d.table_name = $2
       ) r where %3$s %4$s',
      kept.name, columns, coalesce(parents, 'true'), case when kept.name = 'users' then '' else 'on conflict do nothing' end, read)
    using account, kept.name, mark, escaped;
  end loop;
end
$$;
