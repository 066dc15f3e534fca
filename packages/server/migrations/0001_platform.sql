-- What every other migration uses (row-level security, ids), and the tables of the platform: audit log, idempotency, rate limits.

-- Statements for one account run under this role, which owns nothing and so is bound by row-level security.
-- Roles belong to the whole server, so another installation on the same server may have created it.
do $$
begin
  if not exists (select from pg_roles where rolname = 'millrace_account') then
    create role millrace_account nologin;
  end if;
exception
  when duplicate_object or unique_violation then null; -- another installation created it meanwhile
  when insufficient_privilege then
    raise exception 'role % may not create the role millrace_account', current_user
      using hint = format('Let a superuser run: create role millrace_account nologin; grant millrace_account to %I with set true;', current_user);
end
$$;

-- A superuser needs no grant; every other role must be a member to set the role.
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
-- Without an account in the transaction the setting is absent or empty, and the query fails: a forgotten account exposes no rows.
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

-- A UUIDv7 (RFC 9562) for rows that the database makes itself; its first 48 bits are milliseconds since the epoch.
create function millrace_uuid_v7() returns uuid
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid()) placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid
$$;

-- The audit log. Rows outlive the things that they name, so there are no foreign keys.
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

-- Responses by Idempotency-Key: one row for each key that a caller has used within the last day.
create table idempotency_keys (
  -- SHA-256 over the caller (the user, or the address of a caller who is not signed in) and the key: the key itself seals the response and is not stored.
  lookup bytea primary key check (octet_length(lookup) = 32),
  -- Null for operations without a credential, such as register and login.
  account_id uuid,
  operation text not null,
  -- SHA-256 over the parameters, query and body of the first request.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  -- Null while the first request runs in transactions of its own; a request in the transaction of this row is not visible before its end.
  status smallint,
  -- The response (content type, headers, body), sealed with AES-256-GCM: it may contain a secret that is shown only once.
  reply bytea,
  created_at timestamptz not null default now(),
  -- While status is null: the time after which the first request counts as lost.
  expires_at timestamptz not null
);

create index idempotency_keys_expires_at on idempotency_keys (expires_at);

select millrace_isolate('idempotency_keys');

-- Unlogged: a crash only starts new windows.
create unlogged table rate_limit_counters (
  policy text not null,
  subject text not null,
  hits integer not null,
  ends_at timestamptz not null,
  primary key (policy, subject)
);

create index rate_limit_counters_ends_at on rate_limit_counters (ends_at);
