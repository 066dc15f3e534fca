-- The ground that every other table stands on: who may see which row, accounts, and what has been done by whom.

-- Work done on behalf of one account runs under this role, which owns nothing and so is bound by row-level security.
-- Roles belong to the whole server, so another installation on the same server may have made it before.
do $$
begin
  if not exists (select from pg_roles where rolname = 'millrace_account') then
    create role millrace_account nologin;
  end if;
exception
  when duplicate_object or unique_violation then null; -- another installation made it between the question and the answer
  when insufficient_privilege then
    raise exception 'role % may not create the role millrace_account', current_user
      using hint = format('Let a superuser run: create role millrace_account nologin; grant millrace_account to %I with set true;', current_user);
end
$$;

-- A superuser needs no grant; anybody else must be a member to take the role on.
do $$
begin
  if not pg_has_role(current_user, 'millrace_account', 'set') then
    grant millrace_account to current_user with inherit false, set true;
  end if;
exception
  when insufficient_privilege then
    raise exception 'role % may not take on the role millrace_account, which exists already', current_user
      using hint = format('Let a superuser run: grant millrace_account to %I with set true;', current_user);
end
$$;

grant usage on schema public to millrace_account;

-- Binds a table with an account_id column to the account of the transaction. Every such table calls it in the migration that creates it:
--   select millrace_isolate('workflows');
--   select millrace_isolate('audit_events', privileges => 'select, insert');
-- Without an account in the transaction the setting is absent or empty and the query fails, so a forgotten account is never an open door.
create function millrace_isolate(target regclass, privileges text default 'select, insert, update, delete', account_column name default 'account_id')
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format(
    'create policy account_isolation on %1$s to millrace_account using (%2$I = current_setting(''millrace.account_id'')::uuid) with check (%2$I = current_setting(''millrace.account_id'')::uuid)',
    target, account_column
  );
  execute format('grant %s on table %s to millrace_account', privileges, target);
end
$$;

revoke execute on function millrace_isolate(regclass, text, name) from public;

create table accounts (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 200),
  created_at timestamptz not null default now()
);

select millrace_isolate('accounts', privileges => 'select, update', account_column => 'id');

-- What has been done, by whom, to what. Rows outlive what they speak of, hence no foreign keys.
create table audit_events (
  id uuid primary key,
  account_id uuid,
  at timestamptz not null default now(),
  actor text not null,
  event text not null,
  target text,
  request_id text,
  ip inet,
  details jsonb not null default '{}'::jsonb
);

comment on column audit_events.account_id is 'Null for what concerns no account: an operator''s act, a sign-in with an unknown address.';
comment on column audit_events.actor is 'Who did it, as kind:id: user:…, key:…, operator:…, system:… or anonymous.';
comment on column audit_events.target is 'What it was done to, as a TypeID.';

create index audit_events_account_at on audit_events (account_id, at desc, id desc);

select millrace_isolate('audit_events', privileges => 'select, insert');

create function audit_events_refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception 'audit_events is append-only: % refused', lower(tg_op) using errcode = 'insufficient_privilege';
end
$$;

create trigger audit_events_append_only before update or delete on audit_events
  for each row execute function audit_events_refuse_change();
create trigger audit_events_no_truncate before truncate on audit_events
  for each statement execute function audit_events_refuse_change();
