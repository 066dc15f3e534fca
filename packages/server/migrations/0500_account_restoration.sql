-- A deleted account can be restored for a time, by a link in a mail to its user.
alter table deleted_accounts
  add column restorable_until timestamptz,
  add column user_id uuid,
  add column email text,
  add column token_hash bytea check (octet_length(token_hash) = 32),
  add constraint deleted_accounts_restorable check (num_nulls(restorable_until, user_id, email, token_hash) in (0, 4));

create unique index deleted_accounts_by_token on deleted_accounts (token_hash);
create index deleted_accounts_by_email on deleted_accounts (email, deleted_at);
create index deleted_accounts_by_time on deleted_accounts (deleted_at);

-- The rows that the deletion of an account removed, while it can be restored. Its role has no right to them: they have hashes of passwords.
create table deleted_rows (
  account_id uuid not null constraint deleted_rows_of_deletion references deleted_accounts (id) on delete cascade,
  table_name text not null,
  position integer not null,
  -- Tables are restored in this order: those that others refer to first.
  depth integer not null,
  content json not null,
  primary key (account_id, table_name, position)
);

-- As `millrace_isolate` does it, without a privilege for the role of accounts.
alter table deleted_rows enable row level security;
create policy account_isolation on deleted_rows to millrace_account
  using (account_id = current_setting('millrace.account_id')::uuid) with check (account_id = current_setting('millrace.account_id')::uuid);

-- What an account keeps for its executions, which are not removed with its row: they are deleted when the account is purged.
alter table account_retention drop constraint account_retention_account_id_fkey;
alter table attempt_logs drop constraint attempt_logs_account_id_fkey;

-- Copies the rows that disappear with the row of an account, by the foreign keys that delete with it. Credentials that ended, and what waits for one
-- step of a sign-in, are not among them. Security definer: the role of accounts may read neither passwords nor deleted_rows.
create function millrace_keep_deleted_rows(account uuid) returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
declare
  kept record;
begin
  if account is distinct from nullif(current_setting('millrace.account_id', true), '')::uuid then
    raise exception 'another account than that of the transaction' using errcode = 'insufficient_privilege';
  end if;
  perform from users where account_id = account for update;
  for kept in
    with recursive dependents (oid, depth) as (
      select 'accounts'::regclass::oid, 0
      union
      select c.conrelid, d.depth + 1
      from dependents d join pg_constraint c on c.confrelid = d.oid and c.contype = 'f' and c.confdeltype = 'c' and c.conrelid <> c.confrelid
      where d.depth < 20 and c.conrelid <> all (array[
        'sessions', 'api_keys', 'oauth_codes', 'mail_links', 'sign_in_challenges', 'external_sign_ins', 'saml_assertions',
        'passkey_challenges', 'phone_codes']::regclass[]::oid[])
    )
    select d.oid::regclass as name, max(d.depth) as depth, (
        -- The column of the account, or what refers to it.
        select string_agg(distinct format('t.%I = $1', a.attname), ' or ')
        from pg_attribute a
        where a.attrelid = d.oid and (
          a.attname = 'account_id'
          or d.oid = 'accounts'::regclass and a.attname = 'id'
          or exists (
            select from pg_constraint c
            where c.conrelid = d.oid and c.confrelid = 'accounts'::regclass and c.contype = 'f' and a.attnum = any (c.conkey)))
      ) as condition
    from dependents d group by d.oid
  loop
    execute format(
      'insert into deleted_rows (account_id, table_name, position, depth, content)
       select $1, %L, row_number() over (), $2, row_to_json(t) from %s t where %s', kept.name, kept.name, kept.condition)
    using account, kept.depth;
  end loop;
end
$$;
revoke execute on function millrace_keep_deleted_rows(uuid) from public;
grant execute on function millrace_keep_deleted_rows(uuid) to millrace_account;

-- Puts the kept rows of a deleted account back. Columns that are gone since are left out, and new ones get their defaults. A row is dropped if what it
-- refers to is gone, or if another one has taken its place, such as a phone number that another user has now; but for users, whose address has to be free.
create function millrace_restore_deleted_rows(account uuid) returns void
language plpgsql
set search_path = public, pg_temp
as $$
declare
  kept record;
  columns text;
  parents text;
begin
  for kept in
    select r.table_name as name, to_regclass(r.table_name)::oid as oid, r.content::jsonb as sample
    from deleted_rows r where r.account_id = account and r.position = 1 and to_regclass(r.table_name) is not null
    order by r.depth, r.table_name
  loop
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into columns
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
       select %2$s from (
         select r.* from deleted_rows d, json_populate_record(null::%1$s, d.content) r where d.account_id = $1 and d.table_name = $2
       ) r where %3$s %4$s',
      kept.name, columns, coalesce(parents, 'true'), case when kept.name = 'users' then '' else 'on conflict do nothing' end)
    using account, kept.name;
  end loop;
end
$$;
revoke execute on function millrace_restore_deleted_rows(uuid) from public;
