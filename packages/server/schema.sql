-- Generated from the migrated database by "npm run generate". Do not edit: this file is for reading and for reviewing what a
-- migration changes. Databases are made by the migrations.

CREATE OR REPLACE FUNCTION public.approval_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform millrace_report_change(
    new.account_id,
    case when tg_op = 'INSERT' then 'approval.opened' else 'approval.decided' end,
    json_build_object('id', new.id, 'executionId', new.execution_id, 'state', new.state)
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.approval_ended()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into approval_ends (execution_id, position) values (old.execution_id, old.position);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.approval_opened()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into approvals (id, account_id, execution_id, position, arguments, opened_at, due_at)
  values (
    -- UUIDv7: 48 bits of time before what is random, and the version's four bits turned from 4 to 7 (RFC 9562, section 5.7).
    encode(set_bit(set_bit(overlay(
      uuid_send(gen_random_uuid()) placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6
    ), 52, 1), 53, 1), 'hex')::uuid,
    new.account_id, new.execution_id, new.position, new.arguments, new.opened_at, new.opened_at
  ) on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_events_await_leaf()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into audit_pending (event_id) select id from new_rows;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_events_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- The one change: the erasure of personal data, which the leaf does not cover but by its commitment.
  if tg_op = 'UPDATE' and old.commitment is null and new.commitment is not null
    and new.details = '{}'::jsonb and new.ip is null and new.salt = '\x'::bytea
    and (new.id, new.account_id, new.at, new.actor, new.event, new.target, new.request_id)
      is not distinct from (old.id, old.account_id, old.at, old.actor, old.event, old.target, old.request_id) then
    return new;
  end if;
  raise exception 'audit_events is append-only: % refused', lower(tg_op) using errcode = 'insufficient_privilege';
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_executions_ended()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- Most statements that claim, park or signal executions end none.
  if not exists (select from new_rows where ended_at is not null) then return null; end if;
  insert into audit_pending_executions (account_id, execution_ids, phase)
  select n.account_id, array_agg(n.id), 'ended'
  from new_rows n join old_rows o on o.id = n.id where o.ended_at is null and n.ended_at is not null group by n.account_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_executions_started()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- An execution that has ended when it is inserted has one event, of its end.
  insert into audit_pending_executions (account_id, execution_ids, phase)
  select account_id, array_agg(id), case when ended_at is null then 'started' else 'ended' end
  from new_rows group by account_id, ended_at is null;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_log_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op) using errcode = 'insufficient_privilege';
end
$function$;

CREATE OR REPLACE FUNCTION public.count_data_rows()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO '$user', 'public'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.event_type_matches(type text, types text[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select exists (
    select from unnest(types) as named
    where named = type
      or (right(named, 1) = '*' and starts_with(type, left(named, -1))
        and (not starts_with(type, 'io.serverlessworkflow.') or starts_with(named, 'io.serverlessworkflow.')))
  )
$function$;

CREATE OR REPLACE FUNCTION public.event_types_name_lifecycle(types text[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select exists (select from unnest(types) as named where starts_with(named, 'io.serverlessworkflow.'))
$function$;

CREATE OR REPLACE FUNCTION public.events_fan_out()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into event_deliveries (id, account_id, subscription_id, event_id, event_type, state, due_at, created_at)
  select millrace_uuid_v7(), e.account_id, s.id, e.id, e.type, 'pending', now(), now()
  from fresh e join event_subscriptions s on s.account_id = e.account_id
  where s.enabled and event_type_matches(e.type, s.types);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.events_fire_triggers()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into trigger_firings (id, account_id, trigger_id, cause, due_at, event, ready_at, depth)
  select millrace_uuid_v7(), e.account_id, t.id, 'event:' || e.id, now(), e.envelope, now(), e.depth
  from fresh e join triggers t on t.account_id = e.account_id
  where t.kind = 'event' and t.enabled and not starts_with(e.type, 'io.serverlessworkflow.') and event_type_matches(e.type, t.event_types)
  on conflict (trigger_id, cause) do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.executions_report_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from account_watches where until > now()) then return null; end if;
  insert into account_changes (account_id, kind, data)
  select n.account_id,
    case
      when n.ended_at is not null then 'execution.ended'
      when n.state in ('waiting', 'suspended') then 'execution.' || n.state
      else 'execution.resumed'
    end,
    json_build_object('id', n.id, 'workflowId', n.workflow_id, 'state', n.state, 'trigger', n.trigger)
  from new_rows n join old_rows o on o.id = n.id join account_watches w on w.account_id = n.account_id and w.until > now()
  where o.state <> n.state and (n.state not in ('pending', 'running') or o.state in ('waiting', 'suspended'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.executions_report_started()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from account_watches where until > now()) then return null; end if;
  insert into account_changes (account_id, kind, data)
  select n.account_id, case when n.ended_at is not null then 'execution.ended' else 'execution.started' end,
    json_build_object('id', n.id, 'workflowId', n.workflow_id, 'state', n.state, 'trigger', n.trigger)
  from new_rows n join account_watches w on w.account_id = n.account_id and w.until > now();
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.invoices_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and old.state = 'open' and new.state in ('paid', 'uncollectible')
    and to_jsonb(new) - 'state' - 'paid_at' = to_jsonb(old) - 'state' - 'paid_at' then
    return new;
  end if;
  raise exception 'invoices are immutable: % refused', lower(tg_op) using errcode = 'insufficient_privilege';
end
$function$;

CREATE OR REPLACE FUNCTION public.marketplace_count_import()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update marketplace_entries set import_count = import_count + 1 where id = new.entry_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.marketplace_count_rating()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op <> 'INSERT' then
    update marketplace_entries set rating_sum = rating_sum - old.stars, rating_count = rating_count - 1 where id = old.entry_id;
  end if;
  if tg_op <> 'DELETE' then
    update marketplace_entries set rating_sum = rating_sum + new.stars, rating_count = rating_count + 1 where id = new.entry_id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.marketplace_count_words()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  before tsvector[] := '{}';
  after tsvector[] := '{}';
begin
  if tg_op = 'INSERT' then
    select coalesce(array_agg(head), '{}') into after from new_rows where state = 'listed';
  elsif tg_op = 'DELETE' then
    select coalesce(array_agg(head), '{}') into before from old_rows where state = 'listed';
  else
    select coalesce(array_agg(o.head) filter (where o.state = 'listed'), '{}'), coalesce(array_agg(n.head) filter (where n.state = 'listed'), '{}')
      into before, after
      from old_rows o join new_rows n using (id) where o.head is distinct from n.head or o.state <> n.state;
  end if;
  if before = '{}' and after = '{}' then
    return null;
  end if;
  -- In the order of the words, so that two publications wait for each other and do not deadlock.
  insert into marketplace_words as w (word, entries)
    select word, sum(change) from (
      select unnest(tsvector_to_array(head)) as word, -1 as change from unnest(before) as head
      union all select unnest(tsvector_to_array(head)), 1 from unnest(after) as head
    ) as changes
    where length(word) between 3 and 32 group by word having sum(change) <> 0 order by word
    on conflict (word) do update set entries = w.entries + excluded.entries;
  delete from marketplace_words w using unnest(before) as head, unnest(tsvector_to_array(head)) as gone(word)
    where w.word = gone.word and w.entries <= 0;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.marketplace_spellings(word text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT COST 1000
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  with one as (
    select left(word, at - 1) || substr(word, at + 1) as text, at from generate_series(1, length(word)) as at
  ), two as (
    select left(one.text, again - 1) || substr(one.text, again + 1) as text
    from one, generate_series(one.at, length(one.text)) as again
    where length(word) between 8 and 16
  )
  select array(select word union select text from one union select text from two)
$function$;

CREATE OR REPLACE FUNCTION public.millrace_error_part(error json, name text, length integer)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  return left(error ->> name, length);
exception
  when others then return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.millrace_isolate(target regclass, privileges text DEFAULT 'select, insert, update, delete'::text, account_column name DEFAULT 'account_id'::name)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  execute format('alter table %s enable row level security', target);
  execute format(
    'create policy account_isolation on %1$s to millrace_account using (%2$I = current_setting(''millrace.account_id'')::uuid) with check (%2$I = current_setting(''millrace.account_id'')::uuid)',
    target, account_column
  );
  execute format('grant %s on table %s to millrace_account', privileges, target);
end
$function$;

CREATE OR REPLACE FUNCTION public.millrace_keep_deleted_rows(account uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.millrace_refuse_unclaimed(ids uuid[])
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  raise exception 'executions are not claimed by the process that writes them' using errcode = 'MR001', detail = array_to_string(ids, ' ');
end
$function$;

CREATE OR REPLACE FUNCTION public.millrace_report_change(account uuid, change text, data json, recipient uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into account_changes (account_id, kind, user_id, data)
  select w.account_id, change, recipient, data from account_watches w where w.account_id = account and w.until > now()
$function$;

CREATE OR REPLACE FUNCTION public.millrace_restore_deleted_rows(account uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.millrace_time_class(ms bigint)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when ms < 1 then 0 else 1 + floor(ln(ms::float8) / ln(1.04::float8)) end::smallint
$function$;

CREATE OR REPLACE FUNCTION public.millrace_uuid_v7()
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid()) placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid
$function$;

CREATE OR REPLACE FUNCTION public.notification_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform millrace_report_change(
    new.account_id, 'notification',
    json_build_object('id', new.id, 'kind', new.kind, 'title', new.title, 'link', new.link, 'count', new.count),
    new.user_id
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.trigger_was_paused()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform millrace_report_change(
    new.account_id, 'trigger.paused',
    json_build_object('id', new.id, 'workflowId', new.workflow_id, 'name', new.name, 'reason', new.paused_reason)
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.users_drop_notifications()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from gone g join accounts a on a.id = g.account_id) then
    return null;
  end if;
  delete from notification_webhooks n using gone g where n.account_id = g.account_id and n.user_id = g.id;
  delete from notification_digests n using gone g where n.account_id = g.account_id and n.user_id = g.id;
  delete from notification_preferences n using gone g where n.account_id = g.account_id and n.user_id = g.id;
  -- By notifications_by_user and notifications_unlisted.
  delete from notifications n using gone g where n.account_id = g.account_id and n.user_id = g.id and n.in_app;
  delete from notifications n using gone g where n.account_id = g.account_id and n.user_id = g.id and not n.in_app;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.version_was_published()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform millrace_report_change(
    new.account_id, 'workflow.published', json_build_object('workflowId', new.workflow_id, 'version', new.number)
  );
  return null;
end
$function$;

create table account_changes (
  id bigint generated always as identity not null,
  account_id uuid not null,
  xid xid8 default pg_current_xact_id() not null,
  at timestamp with time zone default clock_timestamp() not null,
  kind text not null,
  user_id uuid,
  data json not null,
  constraint account_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX account_changes_by_account ON account_changes USING btree (account_id, xid, id);
CREATE INDEX account_changes_by_time ON account_changes USING btree (at);
alter table account_changes enable row level security;
create policy account_isolation on account_changes as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on account_changes to millrace_account;

create table account_connectors (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  kind text not null,
  title text not null,
  version text not null,
  url text,
  document json not null,
  functions json not null,
  revision integer default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  constraint account_connectors_pkey PRIMARY KEY (id),
  constraint account_connectors_name_unique UNIQUE (account_id, name),
  constraint account_connectors_kind_check CHECK ((kind = ANY (ARRAY['manifest'::text, 'openapi'::text, 'mcp'::text]))),
  constraint account_connectors_name_check CHECK (((char_length(name) >= 2) AND (char_length(name) <= 63)))
);
CREATE INDEX account_connectors_by_account ON account_connectors USING btree (account_id, id DESC);
alter table account_connectors enable row level security;
create policy account_isolation on account_connectors as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on account_connectors to millrace_account;

create table account_domains (
  id uuid not null,
  account_id uuid not null,
  domain text not null,
  token text not null,
  verified_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint account_domains_pkey PRIMARY KEY (id),
  constraint account_domains_domain_unique UNIQUE (account_id, domain),
  constraint account_domains_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_domains_domain_check CHECK (((char_length(domain) >= 3) AND (char_length(domain) <= 253)))
);
CREATE UNIQUE INDEX account_domains_verified ON account_domains USING btree (domain) WHERE (verified_at IS NOT NULL);
alter table account_domains enable row level security;
create policy account_isolation on account_domains as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on account_domains to millrace_account;

create table account_exports (
  id uuid not null,
  account_id uuid not null,
  state text default 'preparing'::text not null,
  failure text,
  done integer default 0 not null,
  total integer not null,
  file_id uuid,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint account_exports_pkey PRIMARY KEY (id),
  constraint account_exports_state_check CHECK ((state = ANY (ARRAY['preparing'::text, 'ready'::text, 'failed'::text])))
);
CREATE INDEX account_exports_by_account ON account_exports USING btree (account_id, id DESC);
CREATE UNIQUE INDEX account_exports_preparing ON account_exports USING btree (account_id) WHERE (state = 'preparing'::text);
alter table account_exports enable row level security;
create policy account_isolation on account_exports as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on account_exports to millrace_account;

create table account_files (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  file_id uuid not null,
  media text not null,
  bytes bigint not null,
  sha256 bytea not null,
  written_by text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  start_key text,
  execution_id uuid,
  written_at timestamp with time zone default clock_timestamp() not null,
  constraint account_files_pkey PRIMARY KEY (id),
  constraint account_files_account_id_name_key UNIQUE (account_id, name),
  constraint account_files_account_id_file_id_fkey FOREIGN KEY (account_id, file_id) REFERENCES files(account_id, id) ON DELETE CASCADE,
  constraint account_files_sha256_check CHECK ((octet_length(sha256) = 32))
);
CREATE INDEX account_files_by_execution ON account_files USING btree (account_id, execution_id) WHERE (execution_id IS NOT NULL);
CREATE INDEX account_files_by_file ON account_files USING btree (account_id, file_id);
CREATE INDEX account_files_undecided ON account_files USING btree (updated_at) WHERE (start_key IS NOT NULL);
alter table account_files enable row level security;
create policy account_isolation on account_files as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on account_files to millrace_account;

create table account_keys (
  account_id uuid not null,
  sealed_by smallint not null,
  sealed bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint account_keys_pkey PRIMARY KEY (account_id)
);
alter table account_keys enable row level security;
create policy account_isolation on account_keys as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select on account_keys to millrace_account;

create table account_model_settings (
  account_id uuid not null,
  installation_models text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  texts text,
  month_cost_micros bigint,
  month_tokens bigint,
  day_cost_micros bigint,
  day_tokens bigint,
  warn_percent integer default 80 not null,
  currency text,
  constraint account_model_settings_pkey PRIMARY KEY (account_id),
  constraint account_model_settings_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint account_model_settings_day_cost_micros_check CHECK ((day_cost_micros > 0)),
  constraint account_model_settings_day_tokens_check CHECK ((day_tokens > 0)),
  constraint account_model_settings_installation_models_check CHECK ((installation_models = ANY (ARRAY['fallback'::text, 'missing'::text, 'never'::text]))),
  constraint account_model_settings_month_cost_micros_check CHECK ((month_cost_micros > 0)),
  constraint account_model_settings_month_tokens_check CHECK ((month_tokens > 0)),
  constraint account_model_settings_texts_check CHECK ((texts = ANY (ARRAY['hashed'::text, 'kept'::text]))),
  constraint account_model_settings_warn_percent_check CHECK (((warn_percent >= 1) AND (warn_percent <= 99)))
);
alter table account_model_settings enable row level security;
create policy account_isolation on account_model_settings as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on account_model_settings to millrace_account;

create table account_models (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  kind text not null,
  url text not null,
  model text not null,
  roles text[] not null,
  price_input double precision,
  price_output double precision,
  region text,
  max_output_tokens integer not null,
  structured boolean not null,
  sealed bytea,
  state text not null,
  problem text,
  tested_at timestamp with time zone not null,
  revision integer default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint account_models_pkey PRIMARY KEY (id),
  constraint account_models_name_unique UNIQUE (account_id, name),
  constraint account_models_check CHECK (((price_input IS NULL) = (price_output IS NULL))),
  constraint account_models_kind_check CHECK ((kind = ANY (ARRAY['openai'::text, 'anthropic'::text, 'ollama'::text]))),
  constraint account_models_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 63))),
  constraint account_models_state_check CHECK ((state = ANY (ARRAY['ready'::text, 'failed'::text, 'unauthorized'::text])))
);
alter table account_models enable row level security;
create policy account_isolation on account_models as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on account_models to millrace_account;

create table account_retention (
  account_id uuid not null,
  milliseconds bigint,
  constraint account_retention_pkey PRIMARY KEY (account_id),
  constraint account_retention_milliseconds_check CHECK ((milliseconds > 0))
);
alter table account_retention enable row level security;
create policy account_isolation on account_retention as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on account_retention to millrace_account;

create table account_watches (
  account_id uuid not null,
  until timestamp with time zone not null,
  since xid8 not null,
  constraint account_watches_pkey PRIMARY KEY (account_id)
);
alter table account_watches enable row level security;
create policy account_isolation on account_watches as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on account_watches to millrace_account;

create table accounts (
  id uuid not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  requires_mfa boolean default false not null,
  locale text,
  time_zone text,
  revision integer default 1 not null,
  publishers text default 'members'::text not null,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint accounts_publishers_check CHECK ((publishers = ANY (ARRAY['members'::text, 'admins'::text])))
);
alter table accounts enable row level security;
create policy account_isolation on accounts as permissive for all to millrace_account using (id = (current_setting('millrace.account_id'::text))::uuid) with check (id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, select, update on accounts to millrace_account;

create table agent_definitions (
  account_id uuid not null,
  digest text not null,
  workflow_id uuid not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone default now() not null,
  constraint agent_definitions_pkey PRIMARY KEY (account_id, digest),
  constraint agent_definitions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
alter table agent_definitions enable row level security;
create policy account_isolation on agent_definitions as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on agent_definitions to millrace_account;

create table agent_runs (
  id uuid not null,
  account_id uuid not null,
  request json not null,
  goal text not null,
  quality text not null,
  workflow_id uuid not null,
  execution_id uuid,
  request_key text,
  outcome text,
  answer text,
  turns integer default 0 not null,
  tool_calls integer default 0 not null,
  input_tokens bigint default 0 not null,
  output_tokens bigint default 0 not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  cost_micros bigint default 0 not null,
  tool_use jsonb default '{}'::jsonb not null,
  constraint agent_runs_pkey PRIMARY KEY (id),
  constraint agent_runs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint agent_runs_outcome_check CHECK ((outcome = ANY (ARRAY['answered'::text, 'step_limit'::text, 'token_limit'::text, 'cost_limit'::text, 'time_limit'::text, 'faulted'::text, 'cancelled'::text])))
);
CREATE INDEX agent_runs_by_account ON agent_runs USING btree (account_id, id DESC);
CREATE UNIQUE INDEX agent_runs_by_key ON agent_runs USING btree (account_id, request_key) WHERE (request_key IS NOT NULL);
CREATE INDEX agent_runs_changed ON agent_runs USING btree (account_id, updated_at DESC);
CREATE INDEX agent_runs_unstarted ON agent_runs USING btree (created_at) WHERE (execution_id IS NULL);
alter table agent_runs enable row level security;
create policy account_isolation on agent_runs as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on agent_runs to millrace_account;

create table api_key_secrets (
  hash bytea not null,
  key_id uuid not null,
  account_id uuid not null,
  prefix text not null,
  created_at timestamp with time zone not null,
  valid_until timestamp with time zone,
  kind text default 'access'::text not null,
  constraint api_key_secrets_pkey PRIMARY KEY (hash),
  constraint api_key_secrets_account_id_key_id_fkey FOREIGN KEY (account_id, key_id) REFERENCES api_keys(account_id, id) ON DELETE CASCADE,
  constraint api_key_secrets_hash_check CHECK ((octet_length(hash) = 32)),
  constraint api_key_secrets_kind_check CHECK ((kind = ANY (ARRAY['access'::text, 'refresh'::text, 'spent'::text]))),
  constraint api_key_secrets_prefix_check CHECK ((char_length(prefix) = 12))
);
CREATE INDEX api_key_secrets_by_key ON api_key_secrets USING btree (account_id, key_id);
CREATE INDEX api_key_secrets_by_prefix ON api_key_secrets USING btree (prefix);
alter table api_key_secrets enable row level security;
create policy account_isolation on api_key_secrets as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on api_key_secrets to millrace_account;

create table api_keys (
  id uuid not null,
  account_id uuid not null,
  user_id uuid not null,
  name text not null,
  scopes text[] not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  client_id text,
  workflow_ids uuid[],
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_account_id_id_key UNIQUE (account_id, id),
  constraint api_keys_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE,
  constraint api_keys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
);
CREATE INDEX api_keys_by_user ON api_keys USING btree (account_id, user_id, id DESC);
CREATE INDEX api_keys_of_clients ON api_keys USING btree (account_id, id) WHERE (client_id IS NOT NULL);
alter table api_keys enable row level security;
create policy account_isolation on api_keys as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on api_keys to millrace_account;

create table approval_answers (
  id uuid not null,
  account_id uuid not null,
  approval_id uuid not null,
  person text not null,
  email text not null,
  name text,
  user_id uuid,
  asked_as text not null,
  decision text not null,
  reason text,
  data json,
  via text not null,
  mail_id uuid,
  answered_at timestamp with time zone not null,
  constraint approval_answers_pkey PRIMARY KEY (id),
  constraint approval_answers_approval_id_person_key UNIQUE (approval_id, person),
  constraint approval_answers_mail_id_key UNIQUE (mail_id),
  constraint approval_answers_account_id_approval_id_fkey FOREIGN KEY (account_id, approval_id) REFERENCES approvals(account_id, id) ON DELETE CASCADE,
  constraint approval_answers_decision_check CHECK ((decision = ANY (ARRAY['approve'::text, 'reject'::text]))),
  constraint approval_answers_via_check CHECK ((via = ANY (ARRAY['api'::text, 'link'::text])))
);
CREATE INDEX approval_answers_by_account ON approval_answers USING btree (account_id, approval_id);
alter table approval_answers enable row level security;
create policy account_isolation on approval_answers as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant insert, select on approval_answers to millrace_account;

create table approval_ends (
  id bigint generated always as identity not null,
  execution_id uuid not null,
  position text not null,
  constraint approval_ends_pkey PRIMARY KEY (id)
);

create table approval_mails (
  id uuid not null,
  account_id uuid not null,
  approval_id uuid not null,
  step smallint not null,
  kind text not null,
  email text not null,
  name text,
  user_id uuid,
  token_hash bytea,
  sealed_token bytea,
  attempts smallint default 0 not null,
  next_attempt_at timestamp with time zone,
  sent_at timestamp with time zone,
  failure text,
  constraint approval_mails_pkey PRIMARY KEY (id),
  constraint approval_mails_approval_id_step_kind_email_key UNIQUE (approval_id, step, kind, email),
  constraint approval_mails_token_hash_key UNIQUE (token_hash),
  constraint approval_mails_account_id_approval_id_fkey FOREIGN KEY (account_id, approval_id) REFERENCES approvals(account_id, id) ON DELETE CASCADE,
  constraint approval_mails_kind_check CHECK ((kind = ANY (ARRAY['link'::text, 'notice'::text]))),
  constraint approval_mails_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX approval_mails_by_account ON approval_mails USING btree (account_id, approval_id);
CREATE INDEX approval_mails_due ON approval_mails USING btree (account_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
alter table approval_mails enable row level security;
create policy account_isolation on approval_mails as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on approval_mails to millrace_account;

create table approvals (
  id uuid not null,
  account_id uuid not null,
  execution_id uuid not null,
  position text not null,
  arguments json not null,
  opened_at timestamp with time zone not null,
  state text default 'open'::text not null,
  steps smallint default 0 not null,
  asked text[] default '{}'::text[] not null,
  barred uuid[] default '{}'::uuid[] not null,
  ended_at timestamp with time zone,
  output json,
  due_at timestamp with time zone,
  reassigned json,
  escalated smallint default 0 not null,
  constraint approvals_pkey PRIMARY KEY (id),
  constraint approvals_account_id_id_key UNIQUE (account_id, id),
  constraint approvals_check CHECK (((state = 'open'::text) = (ended_at IS NULL))),
  constraint approvals_state_check CHECK ((state = ANY (ARRAY['open'::text, 'approved'::text, 'rejected'::text, 'expired'::text, 'closed'::text])))
);
CREATE INDEX approvals_asked ON approvals USING gin (asked) WHERE (state = 'open'::text);
CREATE INDEX approvals_by_account ON approvals USING btree (account_id, id DESC);
CREATE INDEX approvals_by_state ON approvals USING btree (account_id, state, id DESC);
CREATE UNIQUE INDEX approvals_by_wait ON approvals USING btree (execution_id, "position");
CREATE INDEX approvals_due ON approvals USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX approvals_unstarted ON approvals USING btree (account_id) WHERE ((steps = 0) AND (state = 'open'::text));
alter table approvals enable row level security;
create policy account_isolation on approvals as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select, update on approvals to millrace_account;
CREATE TRIGGER approvals_change_decided AFTER UPDATE ON approvals FOR EACH ROW WHEN (((old.state = 'open'::text) AND (new.state <> 'open'::text))) EXECUTE FUNCTION approval_changed();
CREATE TRIGGER approvals_change_opened AFTER INSERT ON approvals FOR EACH ROW EXECUTE FUNCTION approval_changed();

create table assistant_conversations (
  id uuid not null,
  account_id uuid not null,
  user_id uuid not null,
  title text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint assistant_conversations_pkey PRIMARY KEY (id),
  constraint assistant_conversations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint assistant_conversations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX assistant_conversations_by_user ON assistant_conversations USING btree (account_id, user_id, id DESC);
alter table assistant_conversations enable row level security;
create policy account_isolation on assistant_conversations as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on assistant_conversations to millrace_account;

create table assistant_email_drafts (
  id uuid not null,
  account_id uuid not null,
  user_id uuid not null,
  conversation_id uuid,
  recipients text[] not null,
  subject text not null,
  body text not null,
  digest text not null,
  state text not null,
  reason text,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  constraint assistant_email_drafts_pkey PRIMARY KEY (id),
  constraint assistant_email_drafts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint assistant_email_drafts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint assistant_email_drafts_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'sent'::text, 'rejected'::text])))
);
CREATE INDEX assistant_email_drafts_by_user ON assistant_email_drafts USING btree (account_id, user_id, id DESC);
alter table assistant_email_drafts enable row level security;
create policy account_isolation on assistant_email_drafts as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on assistant_email_drafts to millrace_account;

create table assistant_messages (
  id uuid not null,
  account_id uuid not null,
  conversation_id uuid not null,
  user_id uuid not null,
  role text not null,
  text text not null,
  proposals uuid[] default '{}'::uuid[] not null,
  drafts uuid[] default '{}'::uuid[] not null,
  created_at timestamp with time zone not null,
  constraint assistant_messages_pkey PRIMARY KEY (id),
  constraint assistant_messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES assistant_conversations(id) ON DELETE CASCADE,
  constraint assistant_messages_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text])))
);
CREATE INDEX assistant_messages_by_conversation ON assistant_messages USING btree (conversation_id, id DESC);
CREATE INDEX assistant_messages_by_user ON assistant_messages USING btree (account_id, user_id, id DESC);
alter table assistant_messages enable row level security;
create policy account_isolation on assistant_messages as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on assistant_messages to millrace_account;

create table assistant_proposals (
  id uuid not null,
  account_id uuid not null,
  user_id uuid not null,
  conversation_id uuid,
  kind text not null,
  summary text not null,
  action text not null,
  digest text not null,
  state text not null,
  result jsonb,
  reason text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  constraint assistant_proposals_pkey PRIMARY KEY (id),
  constraint assistant_proposals_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint assistant_proposals_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint assistant_proposals_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'confirmed'::text, 'done'::text, 'failed'::text, 'rejected'::text])))
);
CREATE INDEX assistant_proposals_by_user ON assistant_proposals USING btree (account_id, user_id, id DESC);
alter table assistant_proposals enable row level security;
create policy account_isolation on assistant_proposals as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on assistant_proposals to millrace_account;

create table attempt_logs (
  account_id uuid not null,
  execution_id uuid not null,
  position text not null,
  text text not null,
  truncated boolean not null,
  made_at timestamp with time zone not null,
  constraint attempt_logs_pkey PRIMARY KEY (execution_id, "position")
);
CREATE INDEX attempt_logs_by_account ON attempt_logs USING btree (account_id);
CREATE INDEX attempt_logs_by_time ON attempt_logs USING btree (made_at);
alter table attempt_logs enable row level security;
create policy account_isolation on attempt_logs as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on attempt_logs to millrace_account;

create table audit_anchored (
  account_id uuid not null,
  day date not null,
  size integer not null,
  anchor integer not null,
  place integer not null,
  hash bytea not null,
  constraint audit_anchored_pkey PRIMARY KEY (account_id, day, size),
  constraint audit_anchored_anchor_place_key UNIQUE (anchor, place),
  constraint audit_anchored_anchor_fkey FOREIGN KEY (anchor) REFERENCES audit_anchors(index)
);
alter table audit_anchored enable row level security;
create policy account_isolation on audit_anchored as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on audit_anchored to millrace_account;
CREATE TRIGGER audit_anchored_append_only BEFORE DELETE OR UPDATE ON audit_anchored FOR EACH ROW EXECUTE FUNCTION audit_log_refuse_change();
CREATE TRIGGER audit_anchored_no_truncate BEFORE TRUNCATE ON audit_anchored FOR EACH STATEMENT EXECUTE FUNCTION audit_log_refuse_change();

create table audit_anchors (
  index integer not null,
  made_at timestamp with time zone not null,
  batch_size integer not null,
  batch_root bytea not null,
  hash bytea not null,
  note text not null,
  constraint audit_anchors_pkey PRIMARY KEY (index)
);
CREATE TRIGGER audit_anchors_append_only BEFORE DELETE OR UPDATE ON audit_anchors FOR EACH ROW EXECUTE FUNCTION audit_log_refuse_change();
CREATE TRIGGER audit_anchors_no_truncate BEFORE TRUNCATE ON audit_anchors FOR EACH STATEMENT EXECUTE FUNCTION audit_log_refuse_change();

create table audit_attestations (
  anchor integer not null,
  source text not null,
  statement text not null,
  made_at timestamp with time zone not null,
  constraint audit_attestations_pkey PRIMARY KEY (anchor, source),
  constraint audit_attestations_anchor_fkey FOREIGN KEY (anchor) REFERENCES audit_anchors(index)
);
CREATE TRIGGER audit_attestations_append_only BEFORE DELETE OR UPDATE ON audit_attestations FOR EACH ROW EXECUTE FUNCTION audit_log_refuse_change();
CREATE TRIGGER audit_attestations_no_truncate BEFORE TRUNCATE ON audit_attestations FOR EACH STATEMENT EXECUTE FUNCTION audit_log_refuse_change();

create table audit_blocks (
  account_id uuid not null,
  day date not null,
  first_index integer not null,
  size integer not null,
  created int8range not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  bases jsonb[] not null,
  base_numbers smallint[] not null,
  event_ids uuid[] not null,
  targets text[] not null,
  times timestamp with time zone[] not null,
  started_times timestamp with time zone[] not null,
  input_digests bytea[] not null,
  output_digests bytea[] not null,
  salts bytea[] not null,
  hashes bytea[] not null,
  constraint audit_blocks_pkey PRIMARY KEY (account_id, day, first_index),
  constraint audit_blocks_check CHECK ((cardinality(base_numbers) = size)),
  constraint audit_blocks_check1 CHECK ((cardinality(event_ids) = size)),
  constraint audit_blocks_check2 CHECK ((cardinality(targets) = size)),
  constraint audit_blocks_check3 CHECK ((cardinality(times) = size)),
  constraint audit_blocks_check4 CHECK ((cardinality(started_times) = size)),
  constraint audit_blocks_check5 CHECK ((cardinality(input_digests) = size)),
  constraint audit_blocks_check6 CHECK ((cardinality(output_digests) = size)),
  constraint audit_blocks_check7 CHECK ((cardinality(salts) = size)),
  constraint audit_blocks_check8 CHECK ((cardinality(hashes) = size)),
  constraint audit_blocks_first_index_check CHECK ((first_index > 0)),
  constraint audit_blocks_size_check CHECK (((size >= 1) AND (size <= 1000)))
);
CREATE INDEX audit_blocks_by_execution ON audit_blocks USING gist (created);
CREATE INDEX audit_blocks_by_time ON audit_blocks USING btree (account_id, last_at DESC, day DESC, first_index DESC);
alter table audit_blocks enable row level security;
create policy account_isolation on audit_blocks as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on audit_blocks to millrace_account;
CREATE TRIGGER audit_blocks_append_only BEFORE DELETE OR UPDATE ON audit_blocks FOR EACH ROW EXECUTE FUNCTION audit_log_refuse_change();
CREATE TRIGGER audit_blocks_no_truncate BEFORE TRUNCATE ON audit_blocks FOR EACH STATEMENT EXECUTE FUNCTION audit_log_refuse_change();

create table audit_changes (
  event_id uuid not null,
  account_id uuid not null,
  revealed jsonb not null,
  constraint audit_changes_pkey PRIMARY KEY (event_id)
);
CREATE INDEX audit_changes_by_account ON audit_changes USING btree (account_id);
CREATE INDEX audit_changes_of_names ON audit_changes USING btree (account_id) WHERE (revealed ? 'name'::text);
alter table audit_changes enable row level security;
create policy account_isolation on audit_changes as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant insert, select on audit_changes to millrace_account;

create table audit_checkpoints (
  account_id uuid not null,
  day date not null,
  size integer not null,
  note text not null,
  made_at timestamp with time zone not null,
  constraint audit_checkpoints_pkey PRIMARY KEY (account_id, day, size)
);
CREATE INDEX audit_checkpoints_by_time ON audit_checkpoints USING btree (made_at);
alter table audit_checkpoints enable row level security;
create policy account_isolation on audit_checkpoints as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on audit_checkpoints to millrace_account;
CREATE TRIGGER audit_checkpoints_append_only BEFORE DELETE OR UPDATE ON audit_checkpoints FOR EACH ROW EXECUTE FUNCTION audit_log_refuse_change();
CREATE TRIGGER audit_checkpoints_no_truncate BEFORE TRUNCATE ON audit_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION audit_log_refuse_change();

create table audit_days (
  account_id uuid not null,
  day date not null,
  size integer not null,
  peaks bytea not null,
  root bytea not null,
  previous_day date,
  previous_size integer,
  previous_root bytea,
  signed_size integer default 0 not null,
  signed_count integer default 0 not null,
  signed_at timestamp with time zone,
  closed_at timestamp with time zone,
  constraint audit_days_pkey PRIMARY KEY (account_id, day),
  constraint audit_days_root_check CHECK ((octet_length(root) = 32)),
  constraint audit_days_size_check CHECK ((size > 0))
);
CREATE INDEX audit_days_open ON audit_days USING btree (day) WHERE (closed_at IS NULL);
CREATE INDEX audit_days_unsigned ON audit_days USING btree (day) WHERE (signed_size < size);
alter table audit_days enable row level security;
create policy account_isolation on audit_days as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on audit_days to millrace_account;

create table audit_destinations (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  target jsonb not null,
  secret bytea,
  next_day date not null,
  next_index integer not null,
  state text not null,
  paused_reason text,
  attempts integer default 0 not null,
  failing_since timestamp with time zone,
  last_error text,
  due_at timestamp with time zone not null,
  claim uuid,
  claimed_until timestamp with time zone,
  delivered_at timestamp with time zone,
  created_at timestamp with time zone not null,
  created_by text not null,
  constraint audit_destinations_pkey PRIMARY KEY (id),
  constraint audit_destinations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint audit_destinations_check CHECK (((state = 'paused'::text) = (paused_reason IS NOT NULL))),
  constraint audit_destinations_check1 CHECK (((claim IS NULL) = (claimed_until IS NULL))),
  constraint audit_destinations_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint audit_destinations_next_index_check CHECK ((next_index >= 0)),
  constraint audit_destinations_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text])))
);
CREATE INDEX audit_destinations_by_account ON audit_destinations USING btree (account_id, id DESC);
CREATE INDEX audit_destinations_due ON audit_destinations USING btree (due_at) WHERE (state = 'active'::text);
alter table audit_destinations enable row level security;
create policy account_isolation on audit_destinations as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on audit_destinations to millrace_account;

create table audit_events (
  id uuid not null,
  account_id uuid,
  at timestamp with time zone default now() not null,
  actor text not null,
  event text not null,
  target text,
  request_id text,
  ip inet,
  details jsonb default '{}'::jsonb not null,
  salt bytea default (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) not null,
  commitment bytea,
  constraint audit_events_pkey PRIMARY KEY (id),
  constraint audit_events_commitment_check CHECK ((octet_length(commitment) = 32))
);
CREATE INDEX audit_events_account_at ON audit_events USING btree (account_id, at DESC, id DESC);
CREATE INDEX audit_events_by_actor ON audit_events USING btree (account_id, actor, at DESC, id DESC);
CREATE INDEX audit_events_by_target ON audit_events USING btree (account_id, target, at DESC, id DESC) WHERE (target IS NOT NULL);
CREATE INDEX audit_events_of_removals ON audit_events USING btree (account_id, at DESC) WHERE (event = ANY (ARRAY['user.removed'::text, 'scim.user_deleted'::text]));
alter table audit_events enable row level security;
create policy account_isolation on audit_events as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant insert, select on audit_events to millrace_account;
CREATE TRIGGER audit_events_append_only BEFORE DELETE OR UPDATE ON audit_events FOR EACH ROW EXECUTE FUNCTION audit_events_refuse_change();
CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION audit_events_refuse_change();
CREATE TRIGGER audit_events_pending AFTER INSERT ON audit_events REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_events_await_leaf();
comment on column audit_events.account_id is 'Null for what concerns no account: an operator''s act, a sign-in with an unknown address.';
comment on column audit_events.actor is 'Who did it, as kind:id: user:…, key:…, operator:…, system:… or anonymous.';
comment on column audit_events.target is 'What it was done to, as a TypeID.';

create table audit_leaves (
  account_id uuid not null,
  day date not null,
  index integer not null,
  event_id uuid,
  hash bytea not null,
  constraint audit_leaves_pkey PRIMARY KEY (account_id, day, index),
  constraint audit_leaves_hash_check CHECK ((octet_length(hash) = 32)),
  constraint audit_leaves_index_check CHECK ((index >= 0))
);
CREATE UNIQUE INDEX audit_leaves_by_event ON audit_leaves USING btree (event_id) WHERE (event_id IS NOT NULL);
alter table audit_leaves enable row level security;
create policy account_isolation on audit_leaves as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on audit_leaves to millrace_account;
CREATE TRIGGER audit_leaves_append_only BEFORE DELETE OR UPDATE ON audit_leaves FOR EACH ROW EXECUTE FUNCTION audit_log_refuse_change();
CREATE TRIGGER audit_leaves_no_truncate BEFORE TRUNCATE ON audit_leaves FOR EACH STATEMENT EXECUTE FUNCTION audit_log_refuse_change();

create table audit_pending (
  event_id uuid not null,
  constraint audit_pending_pkey PRIMARY KEY (event_id)
);

create table audit_pending_executions (
  id bigint generated always as identity not null,
  account_id uuid not null,
  phase text not null,
  execution_ids uuid[] not null,
  constraint audit_pending_executions_pkey PRIMARY KEY (id),
  constraint audit_pending_executions_phase_check CHECK ((phase = ANY (ARRAY['started'::text, 'ended'::text])))
);
alter table audit_pending_executions enable row level security;
create policy account_isolation on audit_pending_executions as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on audit_pending_executions to millrace_account;

create table billing_credits (
  id uuid not null,
  account_id uuid not null,
  currency text not null,
  amount bigint not null,
  reason text not null,
  cause text not null,
  created_at timestamp with time zone not null,
  constraint billing_credits_pkey PRIMARY KEY (id),
  constraint billing_credits_account_id_reason_cause_key UNIQUE (account_id, reason, cause),
  constraint billing_credits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint billing_credits_amount_check CHECK ((amount <> 0)),
  constraint billing_credits_reason_check CHECK ((reason = ANY (ARRAY['proration'::text, 'referral'::text, 'spent'::text, 'returned'::text])))
);
alter table billing_credits enable row level security;
create policy account_isolation on billing_credits as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on billing_credits to millrace_account;

create table billing_payments (
  id uuid not null,
  account_id uuid not null,
  kind text not null,
  provider text not null,
  state text not null,
  amount bigint not null,
  currency text not null,
  purchase jsonb not null,
  invoice_id uuid,
  reference text,
  url text,
  expires_at timestamp with time zone,
  failure text,
  created_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  check_at timestamp with time zone,
  refunded bigint default 0 not null,
  constraint billing_payments_pkey PRIMARY KEY (id),
  constraint billing_payments_amount_check CHECK ((amount > 0)),
  constraint billing_payments_kind_check CHECK ((kind = ANY (ARRAY['checkout'::text, 'change'::text, 'renewal'::text]))),
  constraint billing_payments_state_check CHECK ((state = ANY (ARRAY['open'::text, 'succeeded'::text, 'failed'::text, 'expired'::text, 'refunding'::text, 'refunded'::text])))
);
CREATE INDEX billing_payments_by_account ON billing_payments USING btree (account_id, id DESC);
CREATE UNIQUE INDEX billing_payments_by_reference ON billing_payments USING btree (provider, reference) WHERE (reference IS NOT NULL);
CREATE UNIQUE INDEX billing_payments_one_charge ON billing_payments USING btree (account_id) WHERE ((state = 'open'::text) AND (kind <> 'checkout'::text));
CREATE UNIQUE INDEX billing_payments_one_checkout ON billing_payments USING btree (account_id) WHERE ((state = 'open'::text) AND (kind = 'checkout'::text));
CREATE INDEX billing_payments_to_check ON billing_payments USING btree (check_at) WHERE (check_at IS NOT NULL);
alter table billing_payments enable row level security;
create policy account_isolation on billing_payments as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on billing_payments to millrace_account;

create table billing_subscriptions (
  account_id uuid not null,
  id uuid not null,
  tier text not null,
  state text not null,
  collection text not null,
  term text,
  currency text,
  price bigint,
  country text,
  anchor timestamp with time zone not null,
  period_start timestamp with time zone not null,
  period_end timestamp with time zone,
  trial_end timestamp with time zone,
  had_trial boolean default false not null,
  pending jsonb,
  provider text,
  customer text,
  payment_method text,
  failed_at timestamp with time zone,
  next_attempt_at timestamp with time zone,
  attempts integer default 0 not null,
  revision integer default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint billing_subscriptions_pkey PRIMARY KEY (account_id),
  constraint billing_subscriptions_id_key UNIQUE (id),
  constraint billing_subscriptions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint billing_subscriptions_check CHECK (((collection = 'automatic'::text) <= ((price IS NOT NULL) AND (currency IS NOT NULL) AND (term IS NOT NULL)))),
  constraint billing_subscriptions_collection_check CHECK ((collection = ANY (ARRAY['automatic'::text, 'manual'::text, 'none'::text]))),
  constraint billing_subscriptions_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint billing_subscriptions_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint billing_subscriptions_price_check CHECK ((price >= 0)),
  constraint billing_subscriptions_state_check CHECK ((state = ANY (ARRAY['trialing'::text, 'active'::text, 'past_due'::text, 'cancelling'::text, 'cancelled'::text, 'expired'::text]))),
  constraint billing_subscriptions_term_check CHECK ((term = ANY (ARRAY['month'::text, 'year'::text])))
);
CREATE INDEX billing_subscriptions_due ON billing_subscriptions USING btree (period_end) WHERE ((period_end IS NOT NULL) AND (state = ANY (ARRAY['trialing'::text, 'active'::text, 'cancelling'::text])));
CREATE INDEX billing_subscriptions_retry ON billing_subscriptions USING btree (next_attempt_at) WHERE (state = 'past_due'::text);
alter table billing_subscriptions enable row level security;
create policy account_isolation on billing_subscriptions as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on billing_subscriptions to millrace_account;

create table capture_events (
  session_id uuid not null,
  account_id uuid not null,
  sequence bigint not null,
  event jsonb not null,
  constraint capture_events_pkey PRIMARY KEY (session_id, sequence),
  constraint capture_events_session_id_fkey FOREIGN KEY (session_id) REFERENCES capture_sessions(id) ON DELETE CASCADE
);
CREATE INDEX capture_events_by_account ON capture_events USING btree (account_id);
alter table capture_events enable row level security;
create policy account_isolation on capture_events as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on capture_events to millrace_account;

create table capture_sessions (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  state text not null,
  mask_inputs boolean not null,
  token_hash bytea not null,
  workflow_id uuid,
  draft jsonb,
  created_at timestamp with time zone not null,
  created_by text not null,
  expires_at timestamp with time zone not null,
  stopped_at timestamp with time zone,
  constraint capture_sessions_pkey PRIMARY KEY (id),
  constraint capture_sessions_token_hash_key UNIQUE (token_hash),
  constraint capture_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint capture_sessions_check CHECK (((state = 'stopped'::text) = (stopped_at IS NOT NULL))),
  constraint capture_sessions_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint capture_sessions_state_check CHECK ((state = ANY (ARRAY['recording'::text, 'stopping'::text, 'stopped'::text])))
);
CREATE INDEX capture_sessions_by_account ON capture_sessions USING btree (account_id, id DESC);
CREATE INDEX capture_sessions_by_expiry ON capture_sessions USING btree (expires_at);
alter table capture_sessions enable row level security;
create policy account_isolation on capture_sessions as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on capture_sessions to millrace_account;

create table chains (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  description text,
  members json not null,
  workflow_id uuid not null,
  compiled json not null,
  revision integer default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint chains_pkey PRIMARY KEY (id),
  constraint chains_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint chains_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
);
CREATE INDEX chains_by_account ON chains USING btree (account_id, id DESC);
alter table chains enable row level security;
create policy account_isolation on chains as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on chains to millrace_account;

create table connection_authorizations (
  state_digest bytea not null,
  account_id uuid not null,
  connection_id uuid not null,
  user_id uuid not null,
  verifier bytea not null,
  expires_at timestamp with time zone not null,
  constraint connection_authorizations_pkey PRIMARY KEY (state_digest),
  constraint connection_authorizations_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE
);
CREATE INDEX connection_authorizations_by_account ON connection_authorizations USING btree (account_id);
CREATE INDEX connection_authorizations_by_connection ON connection_authorizations USING btree (connection_id);
alter table connection_authorizations enable row level security;
create policy account_isolation on connection_authorizations as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on connection_authorizations to millrace_account;

create table connections (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  kind text not null,
  description text not null,
  settings json not null,
  secret_names text[] not null,
  sealed bytea not null,
  tokens bytea,
  state text not null,
  problem text,
  tested_at timestamp with time zone,
  expires_at timestamp with time zone,
  notified_at timestamp with time zone,
  revision integer default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  token_version integer default 0 not null,
  renewal_until timestamp with time zone,
  renewal_failures integer default 0 not null,
  renewal_after timestamp with time zone,
  renewal_problem text,
  constraint connections_pkey PRIMARY KEY (id),
  constraint connections_name_unique UNIQUE (account_id, name),
  constraint connections_kind_check CHECK ((kind = ANY (ARRAY['api-key'::text, 'bearer'::text, 'basic'::text, 'oauth2'::text, 'database'::text, 'smtp'::text, 'imap'::text, 's3'::text, 'mutual-tls'::text]))),
  constraint connections_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 63))),
  constraint connections_state_check CHECK ((state = ANY (ARRAY['ready'::text, 'failed'::text, 'unauthorized'::text])))
);
CREATE INDEX connections_by_account ON connections USING btree (account_id, id DESC);
CREATE INDEX connections_expiring ON connections USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (notified_at IS NULL));
alter table connections enable row level security;
create policy account_isolation on connections as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on connections to millrace_account;

create table connector_submissions (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  title text not null,
  kind text not null,
  version text not null,
  summary text not null,
  licence text not null,
  homepage text,
  hosts text[] not null,
  operations json not null,
  operation_count integer not null,
  document json not null,
  checksum text not null,
  checks json not null,
  state text not null,
  reason text,
  revision integer default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  decided_at timestamp with time zone,
  decided_by text,
  constraint connector_submissions_pkey PRIMARY KEY (id),
  constraint connector_submissions_check CHECK (((state = 'pending'::text) = (decided_at IS NULL))),
  constraint connector_submissions_kind_check CHECK ((kind = ANY (ARRAY['manifest'::text, 'openapi'::text]))),
  constraint connector_submissions_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'withdrawn'::text])))
);
CREATE INDEX connector_submissions_by_account ON connector_submissions USING btree (account_id, id DESC);
CREATE UNIQUE INDEX connector_submissions_by_name ON connector_submissions USING btree (name) WHERE (state = 'approved'::text);
CREATE INDEX connector_submissions_by_state ON connector_submissions USING btree (state, id DESC);
alter table connector_submissions enable row level security;
create policy account_isolation on connector_submissions as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on connector_submissions to millrace_account;

create table consents (
  id uuid not null,
  account_id uuid not null,
  kind text not null,
  state text not null,
  terms jsonb not null,
  events jsonb not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint consents_pkey PRIMARY KEY (id),
  constraint consents_kind_check CHECK ((kind = ANY (ARRAY['cross-border'::text, 'privacy-preferences'::text]))),
  constraint consents_state_check CHECK ((state = ANY (ARRAY['given'::text, 'withdrawn'::text, 'replaced'::text])))
);
CREATE INDEX consents_by_account ON consents USING btree (account_id, id DESC);
CREATE UNIQUE INDEX consents_given ON consents USING btree (account_id, kind) WHERE (state = 'given'::text);
alter table consents enable row level security;
create policy account_isolation on consents as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant insert, select, update on consents to millrace_account;

create table data_row_calls (
  account_id uuid not null,
  call text not null,
  output json not null,
  at timestamp with time zone not null,
  constraint data_row_calls_pkey PRIMARY KEY (account_id, call)
);
CREATE INDEX data_row_calls_by_age ON data_row_calls USING btree (at);
alter table data_row_calls enable row level security;
create policy account_isolation on data_row_calls as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on data_row_calls to millrace_account;

create table data_rows (
  account_id uuid not null,
  table_name text not null,
  key text not null,
  content json not null,
  bytes integer generated always as ((octet_length(key) + octet_length((content)::text))) stored not null,
  revision bigint not null,
  written_by text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  by_test boolean default false not null,
  constraint data_rows_pkey PRIMARY KEY (account_id, table_name, key),
  constraint data_rows_account_id_table_name_fkey FOREIGN KEY (account_id, table_name) REFERENCES data_tables(account_id, name)
);
CREATE INDEX data_rows_by_end ON data_rows USING btree (expires_at) WHERE (expires_at IS NOT NULL);
alter table data_rows enable row level security;
create policy account_isolation on data_rows as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on data_rows to millrace_account;
CREATE TRIGGER data_rows_deleted AFTER DELETE ON data_rows REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_data_rows();
CREATE TRIGGER data_rows_inserted AFTER INSERT ON data_rows REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_data_rows();
CREATE TRIGGER data_rows_updated AFTER UPDATE ON data_rows REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_data_rows();

create table data_tables (
  account_id uuid not null,
  name text not null,
  row_count integer default 0 not null,
  bytes bigint default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint data_tables_pkey PRIMARY KEY (account_id, name)
);
alter table data_tables enable row level security;
create policy account_isolation on data_tables as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on data_tables to millrace_account;

create table dead_letters (
  id uuid not null,
  account_id uuid not null,
  execution_id uuid,
  reason text not null,
  attempts integer not null,
  payload json not null,
  created_at timestamp with time zone not null,
  kind text default 'execution'::text not null,
  workflow_id uuid,
  subscription_id uuid,
  delivery_id uuid,
  replayed_at timestamp with time zone,
  replayed_by text,
  replayed_as uuid,
  constraint dead_letters_pkey PRIMARY KEY (id),
  constraint dead_letters_check CHECK (((kind = 'execution'::text) = (execution_id IS NOT NULL))),
  constraint dead_letters_check1 CHECK (((kind = 'event_delivery'::text) = (delivery_id IS NOT NULL))),
  constraint dead_letters_kind_check CHECK ((kind = ANY (ARRAY['execution'::text, 'event_delivery'::text])))
);
CREATE INDEX dead_letters_by_account ON dead_letters USING btree (account_id, id DESC);
CREATE INDEX dead_letters_by_age ON dead_letters USING btree (created_at);
CREATE INDEX dead_letters_by_workflow ON dead_letters USING btree (account_id, workflow_id, id DESC) WHERE (workflow_id IS NOT NULL);
CREATE INDEX dead_letters_of_execution ON dead_letters USING btree (execution_id) WHERE ((replayed_at IS NULL) AND (execution_id IS NOT NULL));
CREATE INDEX dead_letters_open ON dead_letters USING btree (account_id, id) WHERE (replayed_at IS NULL);
alter table dead_letters enable row level security;
create policy account_isolation on dead_letters as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on dead_letters to millrace_account;

create table deleted_accounts (
  id uuid not null,
  deleted_at timestamp with time zone not null,
  restorable_until timestamp with time zone,
  user_id uuid,
  email text,
  token_hash bytea,
  tried_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  constraint deleted_accounts_pkey PRIMARY KEY (id),
  constraint deleted_accounts_restorable CHECK ((num_nulls(restorable_until, user_id, email, token_hash) = ANY (ARRAY[0, 4]))),
  constraint deleted_accounts_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX deleted_accounts_by_email ON deleted_accounts USING btree (email, deleted_at);
CREATE INDEX deleted_accounts_by_time ON deleted_accounts USING btree (deleted_at);
CREATE UNIQUE INDEX deleted_accounts_by_token ON deleted_accounts USING btree (token_hash);
alter table deleted_accounts enable row level security;
create policy account_isolation on deleted_accounts as permissive for all to millrace_account using (id = (current_setting('millrace.account_id'::text))::uuid) with check (id = (current_setting('millrace.account_id'::text))::uuid);
grant insert on deleted_accounts to millrace_account;

create table deleted_rows (
  account_id uuid not null,
  table_name text not null,
  position integer not null,
  depth integer not null,
  content json not null,
  constraint deleted_rows_pkey PRIMARY KEY (account_id, table_name, "position"),
  constraint deleted_rows_of_deletion FOREIGN KEY (account_id) REFERENCES deleted_accounts(id) ON DELETE CASCADE
);
alter table deleted_rows enable row level security;
create policy account_isolation on deleted_rows as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);

create table dev_outbox (
  id text not null,
  channel text not null,
  recipient text not null,
  subject text not null,
  text text not null,
  html text,
  created_at timestamp with time zone not null,
  constraint dev_outbox_pkey PRIMARY KEY (id),
  constraint dev_outbox_channel_check CHECK ((channel = ANY (ARRAY['mail'::text, 'sms'::text])))
);
CREATE INDEX dev_outbox_created_at ON dev_outbox USING btree (created_at DESC);

create table einvoice_chains (
  account_id uuid not null,
  counter integer not null,
  hash text not null,
  constraint einvoice_chains_pkey PRIMARY KEY (account_id)
);
alter table einvoice_chains enable row level security;
create policy account_isolation on einvoice_chains as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on einvoice_chains to millrace_account;

create table einvoice_keys (
  account_id uuid not null,
  sealed bytea not null,
  certificate bytea not null,
  created_at timestamp with time zone not null,
  constraint einvoice_keys_pkey PRIMARY KEY (account_id)
);
alter table einvoice_keys enable row level security;
create policy account_isolation on einvoice_keys as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on einvoice_keys to millrace_account;

create table einvoices (
  id uuid not null,
  account_id uuid not null,
  counter integer not null,
  number text not null,
  hash text not null,
  previous_hash text not null,
  xml text not null,
  qr_fields jsonb not null,
  created_at timestamp with time zone not null,
  summary jsonb,
  made_by_call text,
  constraint einvoices_pkey PRIMARY KEY (id),
  constraint einvoices_account_id_counter_key UNIQUE (account_id, counter),
  constraint einvoices_counter_check CHECK ((counter > 0))
);
CREATE UNIQUE INDEX einvoices_calls ON einvoices USING btree (account_id, made_by_call) WHERE (made_by_call IS NOT NULL);
CREATE INDEX einvoices_numbers ON einvoices USING btree (account_id, number);
alter table einvoices enable row level security;
create policy account_isolation on einvoices as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on einvoices to millrace_account;

create table event_deliveries (
  id uuid not null,
  account_id uuid not null,
  subscription_id uuid not null,
  event_id uuid,
  event_type text not null,
  event json,
  state text not null,
  attempts smallint default 0 not null,
  due_at timestamp with time zone,
  claimed_until timestamp with time zone,
  history jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint event_deliveries_pkey PRIMARY KEY (id),
  constraint event_deliveries_check CHECK (((state = 'pending'::text) = (ended_at IS NULL))),
  constraint event_deliveries_check1 CHECK (((state = 'pending'::text) = (due_at IS NOT NULL))),
  constraint event_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);
CREATE INDEX event_deliveries_by_end ON event_deliveries USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX event_deliveries_by_subscription ON event_deliveries USING btree (subscription_id, id DESC);
CREATE INDEX event_deliveries_claimed ON event_deliveries USING btree (account_id, subscription_id) WHERE (claimed_until IS NOT NULL);
CREATE INDEX event_deliveries_due ON event_deliveries USING btree (subscription_id, due_at) WHERE (state = 'pending'::text);
CREATE INDEX event_deliveries_of_event ON event_deliveries USING btree (event_id) WHERE (state = 'pending'::text);
alter table event_deliveries enable row level security;
create policy account_isolation on event_deliveries as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on event_deliveries to millrace_account;

create table event_filters (
  account_id uuid not null,
  id text not null,
  type text,
  filter json not null,
  used_at timestamp with time zone not null,
  kept_since timestamp with time zone,
  kept_to uuid,
  constraint event_filters_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX event_filters_by_type ON event_filters USING btree (account_id, type);
CREATE INDEX event_filters_of_lifecycle ON event_filters USING btree (account_id) WHERE (starts_with(type, 'io.serverlessworkflow.'::text) OR ((type IS NULL) AND (((filter -> 'with'::text) ->> 'type'::text) IS NOT NULL)));
alter table event_filters enable row level security;
create policy account_isolation on event_filters as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on event_filters to millrace_account;

create table event_subscriptions (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  url text not null,
  types text[] not null,
  enabled boolean not null,
  disabled_reason text,
  failing_since timestamp with time zone,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamp with time zone,
  revision integer not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint event_subscriptions_pkey PRIMARY KEY (id),
  constraint event_subscriptions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint event_subscriptions_check CHECK ((num_nulls(previous_secret, previous_secret_until) = ANY (ARRAY[0, 2]))),
  constraint event_subscriptions_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
);
CREATE INDEX event_subscriptions_by_account ON event_subscriptions USING btree (account_id, id DESC);
CREATE INDEX event_subscriptions_of_lifecycle ON event_subscriptions USING btree (account_id) WHERE (enabled AND event_types_name_lifecycle(types));
alter table event_subscriptions enable row level security;
create policy account_isolation on event_subscriptions as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on event_subscriptions to millrace_account;

create table events (
  id uuid not null,
  account_id uuid not null,
  source text not null,
  event_id text not null,
  type text not null,
  envelope json not null,
  received_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  matched_at timestamp with time zone,
  taken boolean default false not null,
  takers integer default 0 not null,
  matched_to uuid,
  depth smallint default 0 not null,
  constraint events_pkey PRIMARY KEY (id)
);
CREATE INDEX events_by_account ON events USING btree (account_id, id DESC);
CREATE INDEX events_by_expiry ON events USING btree (expires_at);
CREATE INDEX events_by_origin ON events USING btree (account_id, source, id DESC);
CREATE UNIQUE INDEX events_by_source ON events USING btree (account_id, source, event_id);
CREATE INDEX events_by_type ON events USING btree (account_id, type, id DESC);
CREATE INDEX events_kept ON events USING btree (account_id, type, id) WHERE (NOT taken);
CREATE INDEX events_unmatched ON events USING btree (account_id, id) WHERE (matched_at IS NULL);
alter table events enable row level security;
create policy account_isolation on events as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant insert, select on events to millrace_account;
CREATE TRIGGER events_fan_out AFTER INSERT ON events REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION events_fan_out();
CREATE TRIGGER events_fire_triggers AFTER INSERT ON events REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION events_fire_triggers();

create table evidence_keys (
  purpose text not null,
  name text not null,
  public_key bytea not null,
  private_key bytea not null,
  created_at timestamp with time zone not null,
  constraint evidence_keys_pkey PRIMARY KEY (purpose, public_key),
  constraint evidence_keys_purpose_check CHECK ((purpose = ANY (ARRAY['checkpoint'::text, 'receipt'::text])))
);

create table evidence_packs (
  id uuid not null,
  account_id uuid not null,
  selection_hash bytea not null,
  selection jsonb not null,
  state text default 'preparing'::text not null,
  failure text,
  done integer default 0 not null,
  total integer,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  file_id uuid,
  constraint evidence_packs_pkey PRIMARY KEY (id),
  constraint evidence_packs_account_id_id_key UNIQUE (account_id, id),
  constraint evidence_packs_selection_hash_check CHECK ((octet_length(selection_hash) = 32)),
  constraint evidence_packs_state_check CHECK ((state = ANY (ARRAY['preparing'::text, 'ready'::text, 'failed'::text])))
);
CREATE INDEX evidence_packs_by_age ON evidence_packs USING btree (created_at);
CREATE UNIQUE INDEX evidence_packs_by_selection ON evidence_packs USING btree (account_id, selection_hash);
alter table evidence_packs enable row level security;
create policy account_isolation on evidence_packs as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on evidence_packs to millrace_account;

create table execution_counts (
  account_id uuid not null,
  workflow_id uuid not null,
  minutes integer not null,
  at timestamp with time zone not null,
  state text not null,
  executions bigint not null,
  retries bigint not null,
  begun bigint not null,
  duration_ms bigint not null,
  wait_ms bigint not null,
  constraint execution_counts_pkey PRIMARY KEY (account_id, minutes, at, workflow_id, state),
  constraint execution_counts_minutes_check CHECK ((minutes = ANY (ARRAY[15, 60, 1440, 5760, 23040, 92160])))
);
CREATE INDEX execution_counts_by_workflow ON execution_counts USING btree (account_id, workflow_id, minutes, at);
alter table execution_counts enable row level security;
create policy account_isolation on execution_counts as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on execution_counts to millrace_account;

create table execution_ends (
  id bigint generated always as identity not null,
  account_id uuid not null,
  execution_ids uuid[] not null,
  constraint execution_ends_pkey PRIMARY KEY (id)
);
alter table execution_ends enable row level security;
create policy account_isolation on execution_ends as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on execution_ends to millrace_account;

create table execution_failures (
  account_id uuid not null,
  workflow_id uuid not null,
  minutes integer not null,
  at timestamp with time zone not null,
  task text not null,
  error_type text not null,
  executions bigint not null,
  constraint execution_failures_pkey PRIMARY KEY (account_id, minutes, at, workflow_id, task, error_type),
  constraint execution_failures_minutes_check CHECK ((minutes = ANY (ARRAY[15, 60, 1440, 5760, 23040, 92160])))
);
CREATE INDEX execution_failures_by_workflow ON execution_failures USING btree (account_id, workflow_id, minutes, at);
alter table execution_failures enable row level security;
create policy account_isolation on execution_failures as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on execution_failures to millrace_account;

create table execution_keys (
  account_id uuid not null,
  key text not null,
  execution_id uuid not null,
  digest text not null,
  constraint execution_keys_pkey PRIMARY KEY (account_id, key)
);
CREATE INDEX execution_keys_by_execution ON execution_keys USING btree (execution_id);
alter table execution_keys enable row level security;
create policy account_isolation on execution_keys as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on execution_keys to millrace_account;

create table execution_labels (
  execution_id uuid not null,
  account_id uuid not null,
  number smallint not null,
  name text not null,
  value text,
  problem text,
  constraint execution_labels_pkey PRIMARY KEY (execution_id, number),
  constraint execution_labels_check CHECK (((value IS NULL) <> (problem IS NULL)))
);
CREATE INDEX execution_labels_by_value ON execution_labels USING btree (account_id, value, name, execution_id DESC);
alter table execution_labels enable row level security;
create policy account_isolation on execution_labels as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on execution_labels to millrace_account;

create table execution_retries (
  retry_of uuid not null,
  account_id uuid not null,
  execution_id uuid not null,
  keys json,
  constraint execution_retries_pkey PRIMARY KEY (retry_of)
);
CREATE INDEX execution_retries_by_execution ON execution_retries USING btree (execution_id);
alter table execution_retries enable row level security;
create policy account_isolation on execution_retries as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on execution_retries to millrace_account;

create table execution_tasks (
  account_id uuid not null,
  workflow_id uuid not null,
  minutes integer not null,
  at timestamp with time zone not null,
  task text not null,
  attempts bigint not null,
  failed bigint not null,
  duration_ms bigint not null,
  longest_ms bigint not null,
  constraint execution_tasks_pkey PRIMARY KEY (account_id, minutes, at, workflow_id, task),
  constraint execution_tasks_minutes_check CHECK ((minutes = ANY (ARRAY[15, 60, 1440, 5760, 23040, 92160])))
);
CREATE INDEX execution_tasks_by_workflow ON execution_tasks USING btree (account_id, workflow_id, minutes, at);
alter table execution_tasks enable row level security;
create policy account_isolation on execution_tasks as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on execution_tasks to millrace_account;

create table execution_times (
  account_id uuid not null,
  workflow_id uuid not null,
  minutes integer not null,
  at timestamp with time zone not null,
  measure text not null,
  class smallint not null,
  executions bigint not null,
  constraint execution_times_pkey PRIMARY KEY (account_id, minutes, at, workflow_id, measure, class),
  constraint execution_times_measure_check CHECK ((measure = ANY (ARRAY['duration'::text, 'wait'::text]))),
  constraint execution_times_minutes_check CHECK ((minutes = ANY (ARRAY[15, 60, 1440, 5760, 23040, 92160])))
);
CREATE INDEX execution_times_by_workflow ON execution_times USING btree (account_id, workflow_id, minutes, at);
alter table execution_times enable row level security;
create policy account_isolation on execution_times as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on execution_times to millrace_account;

create table execution_turns (
  execution_id uuid not null,
  account_id uuid not null,
  workflow_id uuid not null,
  turn_max integer not null,
  admitted boolean not null,
  constraint execution_turns_pkey PRIMARY KEY (execution_id)
);
CREATE INDEX execution_turns_admitted ON execution_turns USING btree (workflow_id) WHERE admitted;
CREATE INDEX execution_turns_waiting ON execution_turns USING btree (workflow_id, execution_id) WHERE (NOT admitted);
alter table execution_turns enable row level security;
create policy account_isolation on execution_turns as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on execution_turns to millrace_account;

create table executions (
  id uuid not null,
  account_id uuid not null,
  workflow_id uuid not null,
  version_id uuid not null,
  state text not null,
  trigger text not null,
  actor text not null,
  parent_id uuid,
  depth smallint default 0 not null,
  input json not null,
  output json,
  error json,
  decisions text default ''::text not null,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  wake_at timestamp with time zone,
  claimed_by uuid,
  crash_count smallint default 0 not null,
  recovered_seq integer default '-1'::integer not null,
  cancel_requested_at timestamp with time zone,
  signalled_at timestamp with time zone,
  suspend_requested_at timestamp with time zone,
  reply json,
  retry_of uuid,
  crashed_at timestamp with time zone,
  on_trial boolean default false not null,
  failed_trials smallint default 0 not null,
  caused_by uuid,
  constraint executions_pkey PRIMARY KEY (id),
  constraint executions_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'running'::text, 'waiting'::text, 'suspended'::text, 'completed'::text, 'faulted'::text, 'cancelled'::text])))
) partition by range (id);
CREATE INDEX executions_by_account ON ONLY executions USING btree (account_id, id DESC);
CREATE INDEX executions_by_claim ON ONLY executions USING btree (claimed_by) WHERE (claimed_by IS NOT NULL);
CREATE INDEX executions_by_filter ON ONLY executions USING btree (workflow_id, state, trigger, id DESC NULLS LAST);
CREATE INDEX executions_by_parent ON ONLY executions USING btree (parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX executions_by_state ON ONLY executions USING btree (account_id, state, id DESC) WHERE (state <> 'completed'::text);
CREATE INDEX executions_by_wake ON ONLY executions USING btree (wake_at) WHERE ((state = 'waiting'::text) AND (wake_at IS NOT NULL));
CREATE INDEX executions_by_workflow ON ONLY executions USING btree (workflow_id, id DESC NULLS LAST);
CREATE INDEX executions_caused ON ONLY executions USING btree (caused_by, id) WHERE (caused_by IS NOT NULL);
CREATE INDEX executions_pending ON ONLY executions USING btree (created_at) WHERE (state = 'pending'::text);
CREATE INDEX executions_signalled ON ONLY executions USING btree (claimed_by) WHERE (signalled_at IS NOT NULL);
CREATE INDEX executions_waiting ON ONLY executions USING btree (account_id) WHERE (state = 'waiting'::text);
alter table executions enable row level security;
create policy account_isolation on executions as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on executions to millrace_account;
CREATE TRIGGER executions_audit_ended AFTER UPDATE ON executions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_executions_ended();
CREATE TRIGGER executions_audit_started AFTER INSERT ON executions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_executions_started();
CREATE TRIGGER executions_change_started AFTER INSERT ON executions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION executions_report_started();
CREATE TRIGGER executions_change_state AFTER UPDATE ON executions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION executions_report_changed();

create table external_sign_ins (
  id uuid not null,
  state_hash bytea not null,
  provider text not null,
  account_id uuid,
  sign_in_provider_id uuid,
  user_id uuid,
  binding bytea not null,
  secrets bytea not null,
  return_to text not null,
  expires_at timestamp with time zone not null,
  returned_at timestamp with time zone,
  code_hash bytea,
  code_expires_at timestamp with time zone,
  claims bytea,
  constraint external_sign_ins_pkey PRIMARY KEY (id),
  constraint external_sign_ins_code_hash_key UNIQUE (code_hash),
  constraint external_sign_ins_state_hash_key UNIQUE (state_hash),
  constraint external_sign_ins_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint external_sign_ins_sign_in_provider_id_fkey FOREIGN KEY (sign_in_provider_id) REFERENCES sign_in_providers(id) ON DELETE CASCADE,
  constraint external_sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint external_sign_ins_binding_check CHECK ((octet_length(binding) = 32)),
  constraint external_sign_ins_check CHECK ((num_nulls(code_hash, code_expires_at, claims) = ANY (ARRAY[0, 3]))),
  constraint external_sign_ins_code_hash_check CHECK ((octet_length(code_hash) = 32)),
  constraint external_sign_ins_provider_check CHECK ((provider = ANY (ARRAY['loginone'::text, 'logintwo'::text, 'oidc'::text, 'saml'::text]))),
  constraint external_sign_ins_state_hash_check CHECK ((octet_length(state_hash) = 32))
);
CREATE INDEX external_sign_ins_by_account ON external_sign_ins USING btree (account_id);
CREATE INDEX external_sign_ins_by_end ON external_sign_ins USING btree (expires_at);
CREATE INDEX external_sign_ins_by_sign_in_provider ON external_sign_ins USING btree (sign_in_provider_id);
CREATE INDEX external_sign_ins_by_user ON external_sign_ins USING btree (user_id);
alter table external_sign_ins enable row level security;
create policy account_isolation on external_sign_ins as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select on external_sign_ins to millrace_account;

create table file_chunks (
  file_id uuid not null,
  index integer not null,
  account_id uuid not null,
  content bytea not null,
  constraint file_chunks_pkey PRIMARY KEY (file_id, index),
  constraint file_chunks_account_id_file_id_fkey FOREIGN KEY (account_id, file_id) REFERENCES files(account_id, id) ON DELETE CASCADE
);
alter table file_chunks enable row level security;
create policy account_isolation on file_chunks as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on file_chunks to millrace_account;

create table file_links (
  token_hash bytea not null,
  account_id uuid not null,
  file_id uuid not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint file_links_pkey PRIMARY KEY (token_hash),
  constraint file_links_account_id_file_id_fkey FOREIGN KEY (account_id, file_id) REFERENCES files(account_id, id) ON DELETE CASCADE,
  constraint file_links_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX file_links_by_file ON file_links USING btree (account_id, file_id);
alter table file_links enable row level security;
create policy account_isolation on file_links as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on file_links to millrace_account;

create table files (
  id uuid not null,
  account_id uuid not null,
  owner text not null,
  name text not null,
  media text not null,
  bytes bigint,
  sha256 bytea,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  is_part boolean default false not null,
  constraint files_pkey PRIMARY KEY (id),
  constraint files_account_id_id_key UNIQUE (account_id, id)
);
CREATE INDEX files_by_expiry ON files USING btree (expires_at);
CREATE INDEX files_by_owner ON files USING btree (account_id, owner);
alter table files enable row level security;
create policy account_isolation on files as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on files to millrace_account;

create table form_proofs (
  id text not null,
  expires_at timestamp with time zone not null,
  constraint form_proofs_pkey PRIMARY KEY (id)
);
CREATE INDEX form_proofs_expires_at ON form_proofs USING btree (expires_at);

create table git_files (
  repository_id uuid not null,
  account_id uuid not null,
  path text not null,
  workflow_id uuid not null,
  base_sha256 text not null,
  constraint git_files_pkey PRIMARY KEY (repository_id, path),
  constraint git_files_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES git_repositories(id) ON DELETE CASCADE
);
CREATE INDEX git_files_by_account ON git_files USING btree (account_id);
alter table git_files enable row level security;
create policy account_isolation on git_files as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on git_files to millrace_account;

create table git_repositories (
  id uuid not null,
  account_id uuid not null,
  url text not null,
  branch text not null,
  folder text not null,
  connection text,
  pull text not null,
  automatic boolean not null,
  commit_id text,
  synced_at timestamp with time zone,
  problem text,
  conflicts text[] default '{}'::text[] not null,
  next_at timestamp with time zone,
  busy_until timestamp with time zone,
  created_at timestamp with time zone not null,
  created_by text not null,
  failures integer default 0 not null,
  authors boolean default true not null,
  busy_by uuid,
  constraint git_repositories_pkey PRIMARY KEY (id),
  constraint git_repositories_account_id_url_branch_folder_key UNIQUE (account_id, url, branch, folder),
  constraint git_repositories_pull_check CHECK ((pull = ANY (ARRAY['draft'::text, 'publish'::text])))
);
CREATE INDEX git_repositories_by_account ON git_repositories USING btree (account_id, id DESC);
CREATE INDEX git_repositories_due ON git_repositories USING btree (next_at) WHERE (next_at IS NOT NULL);
alter table git_repositories enable row level security;
create policy account_isolation on git_repositories as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on git_repositories to millrace_account;

create table idempotency_keys (
  lookup bytea not null,
  account_id uuid,
  operation text not null,
  fingerprint bytea not null,
  status smallint,
  reply bytea,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  claim_id uuid,
  constraint idempotency_keys_pkey PRIMARY KEY (lookup),
  constraint idempotency_keys_fingerprint_check CHECK ((octet_length(fingerprint) = 32)),
  constraint idempotency_keys_lookup_check CHECK ((octet_length(lookup) = 32))
);
CREATE INDEX idempotency_keys_expires_at ON idempotency_keys USING btree (expires_at);
alter table idempotency_keys enable row level security;
create policy account_isolation on idempotency_keys as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on idempotency_keys to millrace_account;

create table identities (
  id uuid not null,
  account_id uuid not null,
  user_id uuid not null,
  provider text not null,
  sign_in_provider_id uuid,
  issuer text not null,
  subject text not null,
  email text,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  constraint identities_pkey PRIMARY KEY (id),
  constraint identities_provider_unique UNIQUE (account_id, user_id, provider),
  constraint identities_subject_unique UNIQUE NULLS NOT DISTINCT (sign_in_provider_id, provider, issuer, subject),
  constraint identities_account_id_sign_in_provider_id_fkey FOREIGN KEY (account_id, sign_in_provider_id) REFERENCES sign_in_providers(account_id, id) ON DELETE CASCADE,
  constraint identities_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE,
  constraint identities_check CHECK (((provider = ANY (ARRAY['oidc'::text, 'saml'::text])) = (sign_in_provider_id IS NOT NULL))),
  constraint identities_provider_check CHECK ((provider = ANY (ARRAY['loginone'::text, 'logintwo'::text, 'oidc'::text, 'saml'::text]))),
  constraint identities_subject_check CHECK (((char_length(subject) >= 1) AND (char_length(subject) <= 1024)))
);
CREATE INDEX identities_by_sign_in_provider ON identities USING btree (account_id, sign_in_provider_id);
alter table identities enable row level security;
create policy account_isolation on identities as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on identities to millrace_account;

create table installation_key (
  id boolean default true not null,
  fingerprint bytea not null,
  recorded_at timestamp with time zone not null,
  constraint installation_key_pkey PRIMARY KEY (id),
  constraint installation_key_fingerprint_check CHECK ((octet_length(fingerprint) = 16)),
  constraint installation_key_id_check CHECK (id)
);

create table installation_roots (
  version smallint not null,
  key_fingerprint bytea not null,
  sealed bytea not null,
  created_at timestamp with time zone not null,
  constraint installation_roots_pkey PRIMARY KEY (version, key_fingerprint),
  constraint installation_roots_key_fingerprint_check CHECK ((octet_length(key_fingerprint) = 16)),
  constraint installation_roots_version_check CHECK ((version > 0))
);

create table invitations (
  id uuid not null,
  account_id uuid not null,
  email text not null,
  role text not null,
  token_hash bytea not null,
  mailed boolean not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  invited_by uuid,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_email_unique UNIQUE (account_id, email),
  constraint invitations_token_hash_key UNIQUE (token_hash),
  constraint invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint invitations_email_check CHECK (((char_length(email) >= 3) AND (char_length(email) <= 320))),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'auditor'::text, 'member'::text, 'admin'::text]))),
  constraint invitations_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX invitations_by_end ON invitations USING btree (expires_at);
alter table invitations enable row level security;
create policy account_isolation on invitations as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on invitations to millrace_account;

create table invoice_numbers (
  issuer text not null,
  last bigint not null,
  constraint invoice_numbers_pkey PRIMARY KEY (issuer)
);

create table invoices (
  id uuid not null,
  account_id uuid not null,
  issuer text not null,
  number bigint not null,
  kind text not null,
  state text not null,
  currency text not null,
  lines jsonb not null,
  net bigint not null,
  tax bigint not null,
  tax_basis_points integer not null,
  total bigint not null,
  credit bigint not null,
  due bigint not null,
  buyer jsonb not null,
  period_start timestamp with time zone,
  period_end timestamp with time zone,
  corrects uuid,
  reason text,
  issued_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  constraint invoices_pkey PRIMARY KEY (id),
  constraint invoices_issuer_number_key UNIQUE (issuer, number),
  constraint invoices_check CHECK (((total = (net + tax)) AND (due = (total - credit)) AND (credit >= 0) AND (due >= 0))),
  constraint invoices_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text]))),
  constraint invoices_state_check CHECK ((state = ANY (ARRAY['open'::text, 'paid'::text, 'uncollectible'::text])))
);
CREATE INDEX invoices_by_account ON invoices USING btree (account_id, id DESC);
alter table invoices enable row level security;
create policy account_isolation on invoices as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on invoices to millrace_account;
CREATE TRIGGER invoices_immutable BEFORE DELETE OR UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION invoices_refuse_change();
CREATE TRIGGER invoices_no_truncate BEFORE TRUNCATE ON invoices FOR EACH STATEMENT EXECUTE FUNCTION invoices_refuse_change();

create table journal (
  execution_id uuid not null,
  seq integer not null,
  account_id uuid not null,
  position text not null,
  phase text not null,
  kind text not null,
  ok boolean not null,
  value json not null,
  decisions text not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  constraint journal_pkey PRIMARY KEY (execution_id, seq),
  constraint journal_phase_check CHECK ((phase = ANY (ARRAY['started'::text, 'ended'::text])))
) partition by range (execution_id);
alter table journal enable row level security;
create policy account_isolation on journal as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on journal to millrace_account;

create table kept_events (
  account_id uuid not null,
  filter_id text not null,
  key text not null,
  event_id uuid not null,
  constraint kept_events_pkey PRIMARY KEY (account_id, filter_id, key, event_id)
);
CREATE INDEX kept_events_by_event ON kept_events USING btree (event_id);
alter table kept_events enable row level security;
create policy account_isolation on kept_events as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on kept_events to millrace_account;

create table leads (
  id uuid not null,
  kind text not null,
  state text not null,
  email text not null,
  name text,
  company text,
  phone text,
  locale text not null,
  details jsonb not null,
  messages jsonb not null,
  submissions integer default 1 not null,
  consent_at timestamp with time zone not null,
  consent_text text not null,
  consent_ip text not null,
  consent_user_agent text,
  mailed_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  unsubscribed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint leads_pkey PRIMARY KEY (id),
  constraint leads_check CHECK (((kind = 'newsletter'::text) = (state <> 'received'::text))),
  constraint leads_kind_check CHECK ((kind = ANY (ARRAY['contact'::text, 'sales'::text, 'demo'::text, 'newsletter'::text]))),
  constraint leads_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'ar'::text]))),
  constraint leads_state_check CHECK ((state = ANY (ARRAY['received'::text, 'pending'::text, 'confirmed'::text, 'unsubscribed'::text])))
);
CREATE INDEX leads_by_sender ON leads USING btree (email, kind, created_at DESC);
CREATE INDEX leads_created_at ON leads USING btree (created_at);
CREATE UNIQUE INDEX leads_newsletter ON leads USING btree (email) WHERE (kind = 'newsletter'::text);

create table listeners (
  id uuid not null,
  account_id uuid not null,
  execution_id uuid not null,
  position text not null,
  role text not null,
  index smallint not null,
  takes text not null,
  filter_id text not null,
  expected json not null,
  open_names text[] not null,
  key text,
  scope json,
  matched_at timestamp with time zone,
  kept_to uuid,
  constraint listeners_pkey PRIMARY KEY (id),
  constraint listeners_role_check CHECK ((role = ANY (ARRAY['event'::text, 'until'::text]))),
  constraint listeners_takes_check CHECK ((takes = ANY (ARRAY['one'::text, 'each'::text, 'many'::text])))
);
CREATE INDEX listeners_by_execution ON listeners USING btree (execution_id);
CREATE INDEX listeners_by_key ON listeners USING btree (account_id, filter_id, key);
CREATE INDEX listeners_unmatched ON listeners USING btree (account_id, id) WHERE (matched_at IS NULL);
alter table listeners enable row level security;
create policy account_isolation on listeners as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on listeners to millrace_account;

create table login_throttles (
  subject text not null,
  failures integer not null,
  blocked_until timestamp with time zone not null,
  failed_at timestamp with time zone not null,
  constraint login_throttles_pkey PRIMARY KEY (subject)
);
CREATE INDEX login_throttles_failed_at ON login_throttles USING btree (failed_at);

create table mail_links (
  hash bytea not null,
  account_id uuid not null,
  user_id uuid not null,
  purpose text not null,
  email text not null,
  request_hash bytea,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint mail_links_pkey PRIMARY KEY (hash),
  constraint mail_links_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE,
  constraint mail_links_hash_check CHECK ((octet_length(hash) = 32)),
  constraint mail_links_purpose_check CHECK ((purpose = ANY (ARRAY['verify-email'::text, 'reset-password'::text, 'magic-link'::text]))),
  constraint mail_links_request_hash_check CHECK ((octet_length(request_hash) = 32))
);
CREATE INDEX mail_links_by_end ON mail_links USING btree (expires_at);
CREATE INDEX mail_links_by_user ON mail_links USING btree (user_id, purpose);
alter table mail_links enable row level security;
create policy account_isolation on mail_links as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on mail_links to millrace_account;

create table mail_trouble (
  id boolean default true not null,
  since timestamp with time zone not null,
  failures integer not null,
  reason text not null,
  failed_at timestamp with time zone not null,
  noticed_at timestamp with time zone,
  constraint mail_trouble_pkey PRIMARY KEY (id),
  constraint mail_trouble_id_check CHECK (id)
);

create table marketplace_entries (
  id uuid not null,
  account_id uuid not null,
  workflow_id uuid not null,
  title text not null,
  summary text not null,
  author text not null,
  category text not null,
  tags text[] not null,
  licence text not null,
  version integer not null,
  state text not null,
  reason text,
  rating_sum integer default 0 not null,
  rating_count integer default 0 not null,
  import_count integer default 0 not null,
  popularity double precision generated always as ((((((rating_sum)::numeric + 17.5) / ((rating_count + 5))::numeric))::double precision * ln((((import_count + rating_count) + 3))::double precision))) stored not null,
  words tsvector not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  head tsvector generated always as (ts_filter(words, '{a,b,c}'::"char"[])) stored,
  constraint marketplace_entries_pkey PRIMARY KEY (id),
  constraint marketplace_entries_state_check CHECK ((state = ANY (ARRAY['listed'::text, 'withdrawn'::text, 'removed'::text])))
);
CREATE INDEX marketplace_entries_by_category ON marketplace_entries USING btree (category, popularity DESC, id DESC) WHERE (state = 'listed'::text);
CREATE INDEX marketplace_entries_by_head ON marketplace_entries USING gin (head) WITH (gin_pending_list_limit='256') WHERE (state = 'listed'::text);
CREATE INDEX marketplace_entries_by_licence ON marketplace_entries USING btree (licence, category, popularity DESC, id DESC) WHERE (state = 'listed'::text);
CREATE INDEX marketplace_entries_by_licence_alone ON marketplace_entries USING btree (licence, popularity DESC, id DESC) WHERE (state = 'listed'::text);
CREATE INDEX marketplace_entries_by_popularity ON marketplace_entries USING btree (popularity DESC, id DESC) WHERE (state = 'listed'::text);
CREATE INDEX marketplace_entries_by_tag ON marketplace_entries USING gin (tags) WHERE (state = 'listed'::text);
CREATE INDEX marketplace_entries_by_time ON marketplace_entries USING btree (id DESC) WHERE (state = 'listed'::text);
CREATE INDEX marketplace_entries_by_words ON marketplace_entries USING gin (words) WITH (gin_pending_list_limit='256') WHERE (state = 'listed'::text);
CREATE UNIQUE INDEX marketplace_entries_by_workflow ON marketplace_entries USING btree (account_id, workflow_id);
alter table marketplace_entries enable row level security;
create policy account_isolation on marketplace_entries as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on marketplace_entries to millrace_account;
CREATE TRIGGER marketplace_count_words_deleted AFTER DELETE ON marketplace_entries REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION marketplace_count_words();
CREATE TRIGGER marketplace_count_words_inserted AFTER INSERT ON marketplace_entries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION marketplace_count_words();
CREATE TRIGGER marketplace_count_words_updated AFTER UPDATE ON marketplace_entries REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION marketplace_count_words();

create table marketplace_imports (
  entry_id uuid not null,
  account_id uuid not null,
  imported_at timestamp with time zone not null,
  constraint marketplace_imports_pkey PRIMARY KEY (entry_id, account_id),
  constraint marketplace_imports_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES marketplace_entries(id) ON DELETE CASCADE
);
CREATE INDEX marketplace_imports_by_account ON marketplace_imports USING btree (account_id);
alter table marketplace_imports enable row level security;
create policy account_isolation on marketplace_imports as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on marketplace_imports to millrace_account;
CREATE TRIGGER marketplace_count_import AFTER INSERT ON marketplace_imports FOR EACH ROW EXECUTE FUNCTION marketplace_count_import();

create table marketplace_ratings (
  entry_id uuid not null,
  account_id uuid not null,
  stars smallint not null,
  rated_at timestamp with time zone not null,
  rated_by text not null,
  constraint marketplace_ratings_pkey PRIMARY KEY (entry_id, account_id),
  constraint marketplace_ratings_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES marketplace_entries(id) ON DELETE CASCADE,
  constraint marketplace_ratings_stars_check CHECK (((stars >= 1) AND (stars <= 5)))
);
CREATE INDEX marketplace_ratings_by_account ON marketplace_ratings USING btree (account_id);
alter table marketplace_ratings enable row level security;
create policy account_isolation on marketplace_ratings as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on marketplace_ratings to millrace_account;
CREATE TRIGGER marketplace_count_rating AFTER INSERT OR DELETE OR UPDATE ON marketplace_ratings FOR EACH ROW EXECUTE FUNCTION marketplace_count_rating();

create table marketplace_reports (
  id uuid not null,
  entry_id uuid not null,
  account_id uuid not null,
  reason text not null,
  detail text not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  constraint marketplace_reports_pkey PRIMARY KEY (id),
  constraint marketplace_reports_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES marketplace_entries(id) ON DELETE CASCADE
);
CREATE INDEX marketplace_reports_by_account ON marketplace_reports USING btree (account_id);
CREATE UNIQUE INDEX marketplace_reports_by_entry ON marketplace_reports USING btree (entry_id, account_id);
alter table marketplace_reports enable row level security;
create policy account_isolation on marketplace_reports as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on marketplace_reports to millrace_account;

create table marketplace_versions (
  entry_id uuid not null,
  number integer not null,
  account_id uuid not null,
  definition json not null,
  source text not null,
  checksum text not null,
  readme text not null,
  drawing text not null,
  notes text not null,
  parameters json not null,
  permissions json not null,
  created_at timestamp with time zone not null,
  constraint marketplace_versions_pkey PRIMARY KEY (entry_id, number),
  constraint marketplace_versions_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES marketplace_entries(id) ON DELETE CASCADE
);
alter table marketplace_versions enable row level security;
create policy account_isolation on marketplace_versions as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant insert, select on marketplace_versions to millrace_account;

create table marketplace_words (
  word text not null,
  entries integer not null,
  constraint marketplace_words_pkey PRIMARY KEY (word)
) with (fillfactor=80);
CREATE INDEX marketplace_words_by_spelling ON marketplace_words USING gin (marketplace_spellings(word)) WITH (fastupdate=off);

create table mcp_connector_tools (
  account_id uuid not null,
  function text not null,
  summary text not null,
  connection text,
  permission text not null,
  digest text not null,
  workflow_id uuid not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint mcp_connector_tools_pkey PRIMARY KEY (account_id, function),
  constraint mcp_connector_tools_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint mcp_connector_tools_permission_check CHECK ((permission = ANY (ARRAY['ask'::text, 'allow'::text])))
);
alter table mcp_connector_tools enable row level security;
create policy account_isolation on mcp_connector_tools as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on mcp_connector_tools to millrace_account;

create table messages (
  id bigint generated always as identity not null,
  account_id uuid not null,
  execution_id uuid not null,
  position text not null,
  value json not null,
  event_id uuid,
  created_at timestamp with time zone default now() not null,
  constraint messages_pkey PRIMARY KEY (id)
);
CREATE INDEX messages_by_execution ON messages USING btree (execution_id, id);
alter table messages enable row level security;
create policy account_isolation on messages as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on messages to millrace_account;

create table model_calls (
  id uuid not null,
  account_id uuid not null,
  execution_id uuid,
  position text,
  role text not null,
  model text not null,
  model_id text not null,
  prompt_digest text,
  answer_digest text,
  prompt text,
  answer text,
  input_tokens bigint not null,
  output_tokens bigint not null,
  at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  workflow_id uuid,
  cost_micros bigint,
  duration_ms bigint,
  finish text,
  failure text,
  error text,
  constraint model_calls_pkey PRIMARY KEY (id),
  constraint model_calls_failure CHECK ((failure = ANY (ARRAY['provider'::text, 'timeout'::text, 'unreadable'::text, 'quota'::text, 'privacy'::text, 'stopped'::text]))),
  constraint model_calls_texts CHECK (((answer IS NULL) OR (prompt IS NOT NULL)))
);
CREATE INDEX model_calls_by_account ON model_calls USING btree (account_id, id DESC);
CREATE INDEX model_calls_by_execution ON model_calls USING btree (account_id, execution_id, id DESC) WHERE (execution_id IS NOT NULL);
CREATE INDEX model_calls_by_expiry ON model_calls USING btree (expires_at);
alter table model_calls enable row level security;
create policy account_isolation on model_calls as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant insert, select on model_calls to millrace_account;

create table model_usage (
  account_id uuid not null,
  day date not null,
  model text not null,
  calls integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_micros bigint default 0 not null,
  own boolean default false not null,
  constraint model_usage_pkey PRIMARY KEY (account_id, day, model),
  constraint model_usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
alter table model_usage enable row level security;
create policy account_isolation on model_usage as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on model_usage to millrace_account;

create table notification_digests (
  account_id uuid not null,
  user_id uuid not null,
  every_minutes integer default 60 not null,
  last_sent_at timestamp with time zone,
  queued_at timestamp with time zone,
  first_at_once boolean default true not null,
  sent_at_once integer default 0 not null,
  constraint notification_digests_pkey PRIMARY KEY (account_id, user_id)
);
alter table notification_digests enable row level security;
create policy account_isolation on notification_digests as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on notification_digests to millrace_account;

create table notification_preferences (
  account_id uuid not null,
  user_id uuid not null,
  kind text not null,
  in_app boolean not null,
  mail boolean not null,
  webhook boolean default false not null,
  constraint notification_preferences_pkey PRIMARY KEY (account_id, user_id, kind)
);
alter table notification_preferences enable row level security;
create policy account_isolation on notification_preferences as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on notification_preferences to millrace_account;

create table notification_webhooks (
  account_id uuid not null,
  user_id uuid not null,
  format text not null,
  sealed bytea not null,
  created_at timestamp with time zone not null,
  last_sent_at timestamp with time zone,
  failing_since timestamp with time zone,
  last_error text,
  next_attempt_at timestamp with time zone,
  disabled_at timestamp with time zone,
  constraint notification_webhooks_pkey PRIMARY KEY (account_id, user_id),
  constraint notification_webhooks_format_check CHECK ((format = ANY (ARRAY['standard'::text, 'slack'::text, 'discord'::text])))
);
alter table notification_webhooks enable row level security;
create policy account_isolation on notification_webhooks as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on notification_webhooks to millrace_account;

create table notifications (
  id uuid not null,
  account_id uuid not null,
  user_id uuid not null,
  kind text not null,
  title text not null,
  body text not null,
  link text,
  group_key text,
  count integer default 1 not null,
  in_app boolean not null,
  mail_due_since timestamp with time zone,
  mailed_at timestamp with time zone,
  read_at timestamp with time zone,
  created_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  webhook_due_since timestamp with time zone,
  webhook_sent_at timestamp with time zone,
  mail_at_once boolean default false not null,
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_body_check CHECK ((char_length(body) <= 4000)),
  constraint notifications_title_check CHECK ((char_length(title) <= 300))
);
CREATE INDEX notifications_by_age ON notifications USING btree (last_at);
CREATE UNIQUE INDEX notifications_by_group ON notifications USING btree (account_id, user_id, kind, group_key) WHERE ((read_at IS NULL) AND (group_key IS NOT NULL));
CREATE INDEX notifications_by_mail ON notifications USING btree (account_id, user_id, mail_due_since) WHERE (mail_due_since IS NOT NULL);
CREATE INDEX notifications_by_user ON notifications USING btree (account_id, user_id, last_at DESC, id DESC) WHERE in_app;
CREATE INDEX notifications_by_webhook ON notifications USING btree (account_id, user_id, webhook_due_since) WHERE (webhook_due_since IS NOT NULL);
CREATE INDEX notifications_of_approvals ON notifications USING btree (group_key) WHERE ((read_at IS NULL) AND (kind = 'approval.waiting'::text));
CREATE INDEX notifications_read_by_group ON notifications USING btree (account_id, user_id, kind, group_key, last_at) WHERE ((read_at IS NOT NULL) AND (group_key IS NOT NULL));
CREATE INDEX notifications_unlisted ON notifications USING btree (account_id, user_id) WHERE (NOT in_app);
CREATE INDEX notifications_unread ON notifications USING btree (account_id, user_id) WHERE (in_app AND (read_at IS NULL));
alter table notifications enable row level security;
create policy account_isolation on notifications as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on notifications to millrace_account;
CREATE TRIGGER notifications_change_again AFTER UPDATE ON notifications FOR EACH ROW WHEN ((new.in_app AND (new.count > old.count))) EXECUTE FUNCTION notification_changed();
CREATE TRIGGER notifications_change_new AFTER INSERT ON notifications FOR EACH ROW WHEN (new.in_app) EXECUTE FUNCTION notification_changed();

create table oauth_clients (
  id text not null,
  name text not null,
  redirect_uris text[] not null,
  created_at timestamp with time zone not null,
  fresh_until timestamp with time zone,
  constraint oauth_clients_pkey PRIMARY KEY (id)
);

create table oauth_codes (
  hash bytea not null,
  account_id uuid not null,
  user_id uuid not null,
  client_id text not null,
  redirect_uri text not null,
  scopes text[] not null,
  challenge text not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  key_id uuid,
  constraint oauth_codes_pkey PRIMARY KEY (hash),
  constraint oauth_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX oauth_codes_expire ON oauth_codes USING btree (expires_at);
alter table oauth_codes enable row level security;
create policy account_isolation on oauth_codes as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on oauth_codes to millrace_account;

create table operator_codes (
  hash bytea not null,
  created_at timestamp with time zone not null,
  constraint operator_codes_pkey PRIMARY KEY (hash),
  constraint operator_codes_hash_check CHECK ((octet_length(hash) = 32))
);

create table passkey_challenges (
  request_hash bytea not null,
  account_id uuid,
  user_id uuid,
  challenge text not null,
  expires_at timestamp with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (request_hash),
  constraint passkey_challenges_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE,
  constraint passkey_challenges_request_hash_check CHECK ((octet_length(request_hash) = 32))
);
CREATE INDEX passkey_challenges_by_end ON passkey_challenges USING btree (expires_at);
CREATE INDEX passkey_challenges_by_user ON passkey_challenges USING btree (account_id, user_id);
alter table passkey_challenges enable row level security;
create policy account_isolation on passkey_challenges as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on passkey_challenges to millrace_account;

create table passkeys (
  id uuid not null,
  account_id uuid not null,
  user_id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  synced boolean not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential_unique UNIQUE (credential_id),
  constraint passkeys_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE,
  constraint passkeys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80)))
);
CREATE INDEX passkeys_by_user ON passkeys USING btree (account_id, user_id);
alter table passkeys enable row level security;
create policy account_isolation on passkeys as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on passkeys to millrace_account;

create table payment_notifications (
  id uuid not null,
  provider text not null,
  event_id text not null,
  type text not null,
  body bytea not null,
  received_at timestamp with time zone not null,
  deliveries integer default 1 not null,
  state text not null,
  processed_at timestamp with time zone,
  constraint payment_notifications_pkey PRIMARY KEY (id),
  constraint payment_notifications_provider_event_id_key UNIQUE (provider, event_id),
  constraint payment_notifications_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'processed'::text, 'dead'::text])))
);
CREATE INDEX payment_notifications_by_age ON payment_notifications USING btree (received_at);

create table phone_codes (
  request_hash bytea not null,
  account_id uuid,
  user_id uuid,
  purpose text not null,
  number text not null,
  code_hash bytea not null,
  second_factor boolean default false not null,
  failures smallint default 0 not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint phone_codes_pkey PRIMARY KEY (request_hash),
  constraint phone_codes_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE,
  constraint phone_codes_code_hash_check CHECK ((octet_length(code_hash) = 32)),
  constraint phone_codes_purpose_check CHECK ((purpose = ANY (ARRAY['enroll'::text, 'sign-in'::text, 'second-factor'::text]))),
  constraint phone_codes_request_hash_check CHECK ((octet_length(request_hash) = 32))
);
CREATE INDEX phone_codes_by_end ON phone_codes USING btree (expires_at);
CREATE INDEX phone_codes_by_user ON phone_codes USING btree (account_id, user_id);
alter table phone_codes enable row level security;
create policy account_isolation on phone_codes as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on phone_codes to millrace_account;

create table plans (
  tier text not null,
  name text not null,
  rank integer not null,
  limits jsonb not null,
  prices jsonb not null,
  trial_days integer not null,
  is_public boolean not null,
  revision integer default 1 not null,
  updated_at timestamp with time zone default now() not null,
  constraint plans_pkey PRIMARY KEY (tier),
  constraint plans_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint plans_tier_check CHECK ((tier ~ '^[a-z][a-z0-9-]{0,39}$'::text)),
  constraint plans_trial_days_check CHECK (((trial_days >= 0) AND (trial_days <= 365)))
);

create table privacy_decisions (
  id uuid not null,
  account_id uuid not null,
  at timestamp with time zone not null,
  source text not null,
  action text not null,
  actor text not null,
  workflow_id uuid,
  target text,
  purpose text,
  reason text,
  counts jsonb not null,
  characters integer not null,
  constraint privacy_decisions_pkey PRIMARY KEY (id),
  constraint privacy_decisions_action_check CHECK ((action = ANY (ARRAY['none'::text, 'detected'::text, 'redacted'::text, 'blocked'::text, 'allowed'::text]))),
  constraint privacy_decisions_source_check CHECK ((source = ANY (ARRAY['check'::text, 'redact'::text, 'execution'::text, 'journal'::text, 'output'::text, 'prompts'::text, 'logs'::text, 'egress'::text]))) NOT VALID
);
CREATE INDEX privacy_decisions_by_account ON privacy_decisions USING btree (account_id, id DESC);
CREATE INDEX privacy_decisions_by_target ON privacy_decisions USING btree (account_id, target) WHERE (target IS NOT NULL);
CREATE INDEX privacy_decisions_by_time ON privacy_decisions USING btree (at);
alter table privacy_decisions enable row level security;
create policy account_isolation on privacy_decisions as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant insert, select on privacy_decisions to millrace_account;

create table privacy_erased_executions (
  account_id uuid not null,
  execution_id uuid not null,
  erasure_id uuid not null,
  erased_at timestamp with time zone not null,
  in_input boolean not null,
  attested_by uuid,
  constraint privacy_erased_executions_pkey PRIMARY KEY (account_id, execution_id, erasure_id)
);
CREATE INDEX privacy_erased_executions_of_erasure ON privacy_erased_executions USING btree (account_id, erasure_id, execution_id);
CREATE INDEX privacy_erased_executions_of_execution ON privacy_erased_executions USING btree (execution_id);
alter table privacy_erased_executions enable row level security;
create policy account_isolation on privacy_erased_executions as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on privacy_erased_executions to millrace_account;

create table privacy_erasures (
  id uuid not null,
  account_id uuid not null,
  state text not null,
  sealed bytea,
  given smallint not null,
  reason text,
  includes_forms boolean not null,
  erased jsonb default '{}'::jsonb not null,
  kept jsonb default '[]'::jsonb not null,
  requested_at timestamp with time zone not null,
  requested_by text not null,
  updated_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  due_at timestamp with time zone default now() not null,
  claimed_until timestamp with time zone,
  attempts integer default 0 not null,
  problem text,
  waits_for uuid[],
  searched_at timestamp with time zone,
  notes_executions boolean default true not null,
  claim uuid,
  constraint privacy_erasures_pkey PRIMARY KEY (id),
  constraint privacy_erasures_check CHECK (((state = 'done'::text) = (ended_at IS NOT NULL))),
  constraint privacy_erasures_check1 CHECK (((state = 'done'::text) = (sealed IS NULL))),
  constraint privacy_erasures_state_check CHECK ((state = ANY (ARRAY['running'::text, 'waiting'::text, 'done'::text])))
);
CREATE INDEX privacy_erasures_by_account ON privacy_erasures USING btree (account_id, id DESC);
CREATE INDEX privacy_erasures_due ON privacy_erasures USING btree (due_at) WHERE (state <> 'done'::text);
alter table privacy_erasures enable row level security;
create policy account_isolation on privacy_erasures as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant insert, select on privacy_erasures to millrace_account;

create table privacy_policies (
  id uuid not null,
  account_id uuid not null,
  workflow_id uuid,
  action text not null,
  kinds text[] not null,
  min_score double precision not null,
  purpose text not null,
  legal_basis text not null,
  retention text,
  enabled boolean not null,
  revision integer default 1 not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  point text not null,
  constraint privacy_policies_pkey PRIMARY KEY (id),
  constraint privacy_policies_action_check CHECK ((action = ANY (ARRAY['detect'::text, 'redact'::text, 'block'::text]))),
  constraint privacy_policies_min_score_check CHECK (((min_score >= (0)::double precision) AND (min_score <= (1)::double precision))),
  constraint privacy_policies_point_check CHECK ((point = ANY (ARRAY['input'::text, 'journal'::text, 'output'::text, 'prompts'::text, 'logs'::text])))
);
CREATE UNIQUE INDEX privacy_policies_by_point ON privacy_policies USING btree (account_id, workflow_id, point) NULLS NOT DISTINCT;
alter table privacy_policies enable row level security;
create policy account_isolation on privacy_policies as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on privacy_policies to millrace_account;

create table privacy_preferences (
  account_id uuid not null,
  preferences jsonb not null,
  revision integer default 1 not null,
  updated_at timestamp with time zone not null,
  constraint privacy_preferences_pkey PRIMARY KEY (account_id)
);
alter table privacy_preferences enable row level security;
create policy account_isolation on privacy_preferences as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant insert, select, update on privacy_preferences to millrace_account;

create table privacy_reports (
  id uuid not null,
  account_id uuid not null,
  state text default 'preparing'::text not null,
  sealed bytea,
  given smallint not null,
  note text,
  locale text not null,
  includes_forms boolean not null,
  failure text,
  found jsonb,
  review jsonb default '[]'::jsonb not null,
  done integer default 0 not null,
  file_id uuid,
  bytes bigint,
  sha256 text,
  created_at timestamp with time zone not null,
  created_by text not null,
  ended_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  heartbeat_at timestamp with time zone,
  constraint privacy_reports_pkey PRIMARY KEY (id),
  constraint privacy_reports_check CHECK (((state = 'preparing'::text) = (sealed IS NOT NULL))),
  constraint privacy_reports_check1 CHECK (((state = 'preparing'::text) = (ended_at IS NULL))),
  constraint privacy_reports_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'ar'::text]))),
  constraint privacy_reports_state_check CHECK ((state = ANY (ARRAY['preparing'::text, 'ready'::text, 'failed'::text])))
);
CREATE INDEX privacy_reports_by_account ON privacy_reports USING btree (account_id, id DESC);
CREATE INDEX privacy_reports_preparing ON privacy_reports USING btree (created_at) WHERE (state = 'preparing'::text);
alter table privacy_reports enable row level security;
create policy account_isolation on privacy_reports as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on privacy_reports to millrace_account;

create table process_crashes (
  id uuid not null,
  host text not null,
  crashed_at timestamp with time zone not null,
  constraint process_crashes_pkey PRIMARY KEY (id)
);
CREATE INDEX process_crashes_by_time ON process_crashes USING btree (crashed_at);

create table processes (
  id uuid not null,
  host text not null,
  pid integer not null,
  started_at timestamp with time zone not null,
  heartbeat_at timestamp with time zone not null,
  works boolean default true not null,
  roles text[] default '{}'::text[] not null,
  constraint processes_pkey PRIMARY KEY (id)
) with (fillfactor=50);

create unlogged table rate_limit_counters (
  policy text not null,
  subject text not null,
  hits integer not null,
  ends_at timestamp with time zone not null,
  constraint rate_limit_counters_pkey PRIMARY KEY (policy, subject)
);
CREATE INDEX rate_limit_counters_ends_at ON rate_limit_counters USING btree (ends_at);

create table readiness_assessments (
  id uuid not null,
  account_id uuid not null,
  user_id uuid not null,
  version text not null,
  score smallint not null,
  answers jsonb not null,
  created_at timestamp with time zone not null,
  constraint readiness_assessments_pkey PRIMARY KEY (id),
  constraint readiness_assessments_score_check CHECK (((score >= 0) AND (score <= 100)))
);
CREATE INDEX readiness_assessments_by_user ON readiness_assessments USING btree (account_id, user_id, id DESC);
alter table readiness_assessments enable row level security;
create policy account_isolation on readiness_assessments as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on readiness_assessments to millrace_account;

create table recovery_codes (
  user_id uuid not null,
  account_id uuid not null,
  hash bytea not null,
  created_at timestamp with time zone not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, hash),
  constraint recovery_codes_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE,
  constraint recovery_codes_hash_check CHECK ((octet_length(hash) = 32))
);
alter table recovery_codes enable row level security;
create policy account_isolation on recovery_codes as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on recovery_codes to millrace_account;

create table referral_codes (
  code text not null,
  account_id uuid not null,
  visits bigint default 0 not null,
  created_at timestamp with time zone not null,
  constraint referral_codes_pkey PRIMARY KEY (code),
  constraint referral_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX referral_codes_by_account ON referral_codes USING btree (account_id, created_at DESC);
alter table referral_codes enable row level security;
create policy account_isolation on referral_codes as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on referral_codes to millrace_account;

create table referrals (
  referred_id uuid not null,
  referrer_id uuid not null,
  code text not null,
  created_at timestamp with time zone not null,
  rewarded_at timestamp with time zone,
  reward_invoice_id uuid,
  reward_due_at timestamp with time zone,
  constraint referrals_pkey PRIMARY KEY (referred_id),
  constraint referrals_referred_account_id_fkey FOREIGN KEY (referred_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint referrals_referrer_account_id_fkey FOREIGN KEY (referrer_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint referrals_check CHECK ((referred_id <> referrer_id)),
  constraint referrals_reward_check CHECK (((reward_invoice_id IS NULL) = (reward_due_at IS NULL)))
);
CREATE INDEX referrals_by_referrer ON referrals USING btree (referrer_id);
CREATE INDEX referrals_by_reward ON referrals USING btree (reward_due_at) WHERE (reward_due_at IS NOT NULL);

create table saml_assertions (
  sign_in_provider_id uuid not null,
  assertion_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint saml_assertions_pkey PRIMARY KEY (sign_in_provider_id, assertion_hash),
  constraint saml_assertions_sign_in_provider_id_fkey FOREIGN KEY (sign_in_provider_id) REFERENCES sign_in_providers(id) ON DELETE CASCADE,
  constraint saml_assertions_assertion_hash_check CHECK ((octet_length(assertion_hash) = 32))
);
CREATE INDEX saml_assertions_by_end ON saml_assertions USING btree (expires_at);

create table scim_groups (
  id uuid not null,
  account_id uuid not null,
  display_name text not null,
  external_id text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint scim_groups_pkey PRIMARY KEY (id),
  constraint scim_groups_account_id_id_key UNIQUE (account_id, id),
  constraint scim_groups_name_unique UNIQUE (account_id, display_name),
  constraint scim_groups_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint scim_groups_display_name_check CHECK (((char_length(display_name) >= 1) AND (char_length(display_name) <= 256))),
  constraint scim_groups_external_id_check CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 256)))
);
alter table scim_groups enable row level security;
create policy account_isolation on scim_groups as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on scim_groups to millrace_account;

create table scim_members (
  account_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  constraint scim_members_pkey PRIMARY KEY (group_id, user_id),
  constraint scim_members_account_id_group_id_fkey FOREIGN KEY (account_id, group_id) REFERENCES scim_groups(account_id, id) ON DELETE CASCADE,
  constraint scim_members_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE
);
CREATE INDEX scim_members_by_group ON scim_members USING btree (account_id, group_id);
CREATE INDEX scim_members_by_user ON scim_members USING btree (account_id, user_id);
alter table scim_members enable row level security;
create policy account_isolation on scim_members as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on scim_members to millrace_account;

create table scim_settings (
  account_id uuid not null,
  token_hash bytea,
  token_created_at timestamp with time zone,
  token_used_at timestamp with time zone,
  default_role text not null,
  roles jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint scim_settings_pkey PRIMARY KEY (account_id),
  constraint scim_settings_token_hash_key UNIQUE (token_hash),
  constraint scim_settings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint scim_settings_check CHECK (((token_hash IS NULL) = (token_created_at IS NULL))),
  constraint scim_settings_default_role_check CHECK ((default_role = ANY (ARRAY['viewer'::text, 'auditor'::text, 'member'::text, 'admin'::text]))),
  constraint scim_settings_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
alter table scim_settings enable row level security;
create policy account_isolation on scim_settings as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on scim_settings to millrace_account;

create table scim_users (
  user_id uuid not null,
  account_id uuid not null,
  external_id text,
  given_name text,
  family_name text,
  updated_at timestamp with time zone not null,
  constraint scim_users_pkey PRIMARY KEY (user_id),
  constraint scim_users_external_unique UNIQUE (account_id, external_id),
  constraint scim_users_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE,
  constraint scim_users_external_id_check CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 256))),
  constraint scim_users_family_name_check CHECK ((char_length(family_name) <= 200)),
  constraint scim_users_given_name_check CHECK ((char_length(given_name) <= 200))
);
alter table scim_users enable row level security;
create policy account_isolation on scim_users as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on scim_users to millrace_account;

create table sessions (
  id uuid not null,
  account_id uuid not null,
  user_id uuid not null,
  device text,
  ip inet,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  revoked_because text,
  generation integer default 0 not null,
  token_hash bytea not null,
  previous_hash bytea,
  rotated_at timestamp with time zone,
  authenticated_at timestamp with time zone not null,
  methods text[] default '{pwd}'::text[] not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE,
  constraint sessions_check CHECK (((revoked_at IS NULL) = (revoked_because IS NULL))),
  constraint sessions_previous_hash_check CHECK ((octet_length(previous_hash) = 32)),
  constraint sessions_revoked_because_check CHECK ((revoked_because = ANY (ARRAY['signed_out'::text, 'revoked'::text, 'token_reused'::text]))),
  constraint sessions_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX sessions_by_address ON sessions USING btree (user_id, ip);
CREATE INDEX sessions_by_end ON sessions USING btree (expires_at);
CREATE INDEX sessions_by_user ON sessions USING btree (account_id, user_id, id DESC);
alter table sessions enable row level security;
create policy account_isolation on sessions as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on sessions to millrace_account;

create table sign_in_challenges (
  id uuid not null,
  token_hash bytea not null,
  account_id uuid not null,
  user_id uuid not null,
  kind text not null,
  methods text[] not null,
  delivery text not null,
  failures smallint default 0 not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint sign_in_challenges_pkey PRIMARY KEY (id),
  constraint sign_in_challenges_token_hash_key UNIQUE (token_hash),
  constraint sign_in_challenges_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE,
  constraint sign_in_challenges_delivery_check CHECK ((delivery = ANY (ARRAY['body'::text, 'cookie'::text]))),
  constraint sign_in_challenges_kind_check CHECK ((kind = ANY (ARRAY['verify'::text, 'enroll'::text]))),
  constraint sign_in_challenges_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX sign_in_challenges_by_end ON sign_in_challenges USING btree (expires_at);
alter table sign_in_challenges enable row level security;
create policy account_isolation on sign_in_challenges as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on sign_in_challenges to millrace_account;

create table sign_in_providers (
  id uuid not null,
  account_id uuid not null,
  protocol text not null,
  name text not null,
  issuer text not null,
  client_id text,
  client_secret bytea,
  scopes text[],
  sign_in_url text,
  certificates text[],
  email_attribute text,
  provision boolean not null,
  default_role text not null,
  role_claim text,
  roles jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint sign_in_providers_pkey PRIMARY KEY (id),
  constraint sign_in_providers_account_id_id_key UNIQUE (account_id, id),
  constraint sign_in_providers_protocol_unique UNIQUE (account_id, protocol),
  constraint sign_in_providers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint sign_in_providers_check CHECK (((protocol = 'oidc'::text) = ((client_id IS NOT NULL) AND (scopes IS NOT NULL)))),
  constraint sign_in_providers_check1 CHECK (((protocol = 'saml'::text) = ((sign_in_url IS NOT NULL) AND (certificates IS NOT NULL)))),
  constraint sign_in_providers_default_role_check CHECK ((default_role = ANY (ARRAY['viewer'::text, 'auditor'::text, 'member'::text, 'admin'::text]))),
  constraint sign_in_providers_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint sign_in_providers_protocol_check CHECK ((protocol = ANY (ARRAY['oidc'::text, 'saml'::text])))
);
alter table sign_in_providers enable row level security;
create policy account_isolation on sign_in_providers as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on sign_in_providers to millrace_account;

create table signing_keys (
  kid text not null,
  public_key text not null,
  private_key bytea not null,
  signs_from timestamp with time zone not null,
  signs_until timestamp with time zone not null,
  verifies_until timestamp with time zone not null,
  constraint signing_keys_pkey PRIMARY KEY (kid),
  constraint signing_keys_check CHECK (((signs_from < signs_until) AND (signs_until < verifies_until)))
);

create table text_message_counts (
  subject text not null,
  hits integer not null,
  ends_at timestamp with time zone not null,
  constraint text_message_counts_pkey PRIMARY KEY (subject)
);
CREATE INDEX text_message_counts_by_end ON text_message_counts USING btree (ends_at);

create table trigger_event_sets (
  id uuid not null,
  account_id uuid not null,
  trigger_id uuid not null,
  correlated json not null,
  passed text[] not null,
  events json[] not null,
  bytes integer not null,
  depth smallint not null,
  opened_at timestamp with time zone not null,
  constraint trigger_event_sets_pkey PRIMARY KEY (id),
  constraint trigger_event_sets_trigger_id_fkey FOREIGN KEY (trigger_id) REFERENCES triggers(id) ON DELETE CASCADE
);
CREATE INDEX trigger_event_sets_by_account ON trigger_event_sets USING btree (account_id);
CREATE INDEX trigger_event_sets_by_time ON trigger_event_sets USING btree (opened_at);
CREATE INDEX trigger_event_sets_of_trigger ON trigger_event_sets USING btree (trigger_id, id);
alter table trigger_event_sets enable row level security;
create policy account_isolation on trigger_event_sets as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on trigger_event_sets to millrace_account;

create table trigger_firings (
  id uuid not null,
  account_id uuid not null,
  trigger_id uuid not null,
  cause text not null,
  due_at timestamp with time zone not null,
  event json,
  ready_at timestamp with time zone not null,
  attempts smallint default 0 not null,
  depth smallint default 0 not null,
  events json,
  execution_id uuid,
  slow_starts smallint default 0 not null,
  constraint trigger_firings_pkey PRIMARY KEY (id),
  constraint trigger_firings_trigger_id_cause_key UNIQUE (trigger_id, cause)
);
CREATE INDEX trigger_firings_of_account ON trigger_firings USING btree (account_id, ready_at);
alter table trigger_firings enable row level security;
create policy account_isolation on trigger_firings as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on trigger_firings to millrace_account;

create table trigger_skips (
  account_id uuid not null,
  trigger_id uuid not null,
  cause text not null,
  due_at timestamp with time zone not null,
  at timestamp with time zone not null,
  reason text not null,
  execution_id uuid,
  constraint trigger_skips_pkey PRIMARY KEY (trigger_id, cause)
);
CREATE INDEX trigger_skips_by_age ON trigger_skips USING btree (at);
CREATE INDEX trigger_skips_by_due ON trigger_skips USING btree (trigger_id, due_at DESC);
CREATE INDEX trigger_skips_of_account ON trigger_skips USING btree (account_id, at);
alter table trigger_skips enable row level security;
create policy account_isolation on trigger_skips as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on trigger_skips to millrace_account;

create table trigger_watches (
  trigger_id uuid not null,
  account_id uuid not null,
  look_at timestamp with time zone,
  claim integer default 0 not null,
  position json,
  failures integer default 0 not null,
  problem text,
  looked_at timestamp with time zone,
  constraint trigger_watches_pkey PRIMARY KEY (trigger_id),
  constraint trigger_watches_trigger_id_fkey FOREIGN KEY (trigger_id) REFERENCES triggers(id) ON DELETE CASCADE
);
CREATE INDEX trigger_watches_by_account ON trigger_watches USING btree (account_id);
CREATE INDEX trigger_watches_due ON trigger_watches USING btree (look_at) WHERE (look_at IS NOT NULL);
alter table trigger_watches enable row level security;
create policy account_isolation on trigger_watches as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on trigger_watches to millrace_account;

create table triggers (
  id uuid not null,
  account_id uuid not null,
  workflow_id uuid not null,
  kind text not null,
  origin text not null,
  name text not null,
  enabled boolean not null,
  paused_reason text,
  input json,
  mapping text,
  settings json not null,
  event_types text[],
  token_hash bytea,
  token bytea,
  secret bytea,
  next_at timestamp with time zone,
  failures integer default 0 not null,
  last_fired_at timestamp with time zone,
  last_execution_id uuid,
  last_error text,
  revision integer default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  paused_connection text,
  test_until timestamp with time zone,
  test_left integer default 0 not null,
  test_starts boolean default false not null,
  test_by text,
  ends_since timestamp with time zone,
  ends_started integer default 0 not null,
  constraint triggers_pkey PRIMARY KEY (id),
  constraint triggers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint triggers_check CHECK (((kind = 'webhook'::text) = (token_hash IS NOT NULL))),
  constraint triggers_check1 CHECK (((kind = 'event'::text) = (event_types IS NOT NULL))),
  constraint triggers_kind_check CHECK ((kind = ANY (ARRAY['manual'::text, 'schedule'::text, 'webhook'::text, 'event'::text, 'watch'::text]))),
  constraint triggers_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint triggers_origin_check CHECK ((origin = ANY (ARRAY['user'::text, 'definition'::text])))
);
CREATE INDEX triggers_by_account ON triggers USING btree (account_id, id DESC);
CREATE INDEX triggers_by_paused_connection ON triggers USING btree (account_id, paused_connection) WHERE (paused_connection IS NOT NULL);
CREATE UNIQUE INDEX triggers_by_token ON triggers USING btree (token_hash) WHERE (token_hash IS NOT NULL);
CREATE INDEX triggers_by_workflow ON triggers USING btree (workflow_id, id DESC);
CREATE INDEX triggers_due ON triggers USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX triggers_due_of_account ON triggers USING btree (account_id, next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX triggers_of_events ON triggers USING btree (account_id) WHERE ((kind = 'event'::text) AND enabled);
alter table triggers enable row level security;
create policy account_isolation on triggers as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on triggers to millrace_account;
CREATE TRIGGER triggers_change_paused AFTER UPDATE ON triggers FOR EACH ROW WHEN (((old.paused_reason IS NULL) AND (new.paused_reason IS NOT NULL))) EXECUTE FUNCTION trigger_was_paused();

create table usage_counted_hours (
  hour timestamp with time zone not null,
  final boolean not null,
  constraint usage_counted_hours_pkey PRIMARY KEY (hour)
);

create table usage_hours (
  account_id uuid not null,
  meter text not null,
  hour timestamp with time zone not null,
  amount bigint not null,
  constraint usage_hours_pkey PRIMARY KEY (account_id, meter, hour),
  constraint usage_hours_amount_check CHECK ((amount >= 0))
);
alter table usage_hours enable row level security;
create policy account_isolation on usage_hours as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on usage_hours to millrace_account;

create table usage_notices (
  account_id uuid not null,
  meter text not null,
  period_start timestamp with time zone not null,
  percent integer not null,
  created_at timestamp with time zone not null,
  constraint usage_notices_pkey PRIMARY KEY (account_id, meter, period_start, percent),
  constraint usage_notices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
alter table usage_notices enable row level security;
create policy account_isolation on usage_notices as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on usage_notices to millrace_account;

create table usage_records (
  account_id uuid not null,
  meter text not null,
  source_id text not null,
  recorded_at timestamp with time zone not null,
  constraint usage_records_pkey PRIMARY KEY (account_id, meter, source_id),
  constraint usage_records_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX usage_records_by_age ON usage_records USING btree (recorded_at);
alter table usage_records enable row level security;
create policy account_isolation on usage_records as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on usage_records to millrace_account;

create table usage_reservations (
  seq bigint generated always as identity not null,
  account_id uuid not null,
  amount integer not null,
  expires_at timestamp with time zone not null,
  constraint usage_reservations_pkey PRIMARY KEY (seq)
);
CREATE INDEX usage_reservations_by_account ON usage_reservations USING btree (account_id, seq);
alter table usage_reservations enable row level security;
create policy account_isolation on usage_reservations as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on usage_reservations to millrace_account;

create table user_passwords (
  user_id uuid not null,
  account_id uuid not null,
  hash text not null,
  changed_at timestamp with time zone not null,
  constraint user_passwords_pkey PRIMARY KEY (user_id),
  constraint user_passwords_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE
);
CREATE INDEX user_passwords_account ON user_passwords USING btree (account_id, user_id);
alter table user_passwords enable row level security;
create policy account_isolation on user_passwords as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, update on user_passwords to millrace_account;

create table user_phones (
  user_id uuid not null,
  account_id uuid not null,
  number text not null,
  second_factor boolean not null,
  verified_at timestamp with time zone not null,
  constraint user_phones_pkey PRIMARY KEY (user_id),
  constraint user_phones_number_unique UNIQUE (number),
  constraint user_phones_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE
);
alter table user_phones enable row level security;
create policy account_isolation on user_phones as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on user_phones to millrace_account;

create table user_totp (
  user_id uuid not null,
  account_id uuid not null,
  secret bytea not null,
  confirmed_at timestamp with time zone,
  last_step bigint default 0 not null,
  created_at timestamp with time zone not null,
  constraint user_totp_pkey PRIMARY KEY (user_id),
  constraint user_totp_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE
);
alter table user_totp enable row level security;
create policy account_isolation on user_totp as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on user_totp to millrace_account;

create table users (
  id uuid not null,
  account_id uuid not null,
  email text not null,
  name text,
  role text not null,
  is_operator boolean default false not null,
  created_at timestamp with time zone not null,
  email_verified_at timestamp with time zone,
  locale text,
  zone text,
  preferences jsonb default '{}'::jsonb not null,
  deactivated_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_account_id_id_key UNIQUE (account_id, id),
  constraint users_email_unique UNIQUE (email),
  constraint users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint users_email_check CHECK (((char_length(email) >= 3) AND (char_length(email) <= 320))),
  constraint users_locale_check CHECK ((char_length(locale) <= 35)),
  constraint users_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint users_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'member'::text, 'auditor'::text, 'admin'::text, 'owner'::text]))),
  constraint users_zone_check CHECK ((char_length(zone) <= 64))
);
alter table users enable row level security;
create policy account_isolation on users as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on users to millrace_account;
CREATE TRIGGER users_drop_notifications AFTER DELETE ON users REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION users_drop_notifications();

create table variables (
  id uuid not null,
  account_id uuid not null,
  workflow_id uuid,
  environment text not null,
  name text not null,
  kind text not null,
  value json,
  sealed bytea,
  description text not null,
  revision integer default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint variables_pkey PRIMARY KEY (id),
  constraint variables_check CHECK (((kind = 'secret'::text) = (sealed IS NOT NULL))),
  constraint variables_check1 CHECK (((kind = 'secret'::text) = (value IS NULL))),
  constraint variables_environment_check CHECK ((environment = ANY (ARRAY['all'::text, 'draft'::text, 'production'::text]))),
  constraint variables_kind_check CHECK ((kind = ANY (ARRAY['text'::text, 'number'::text, 'boolean'::text, 'json'::text, 'secret'::text]))),
  constraint variables_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100)))
);
CREATE INDEX variables_by_account ON variables USING btree (account_id, id DESC);
CREATE UNIQUE INDEX variables_by_name ON variables USING btree (account_id, name, workflow_id, environment) NULLS NOT DISTINCT;
alter table variables enable row level security;
create policy account_isolation on variables as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on variables to millrace_account;

create table waits (
  execution_id uuid not null,
  position text not null,
  account_id uuid not null,
  topic text not null,
  arguments json not null,
  opened_at timestamp with time zone not null
);
CREATE INDEX waits_by_account ON waits USING btree (account_id, topic, opened_at);
CREATE UNIQUE INDEX waits_by_position ON waits USING btree (execution_id, md5("position"));
alter table waits enable row level security;
create policy account_isolation on waits as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on waits to millrace_account;
CREATE TRIGGER waits_approval_ended AFTER DELETE ON waits FOR EACH ROW WHEN ((old.topic = 'approve'::text)) EXECUTE FUNCTION approval_ended();
CREATE TRIGGER waits_approval_opened AFTER INSERT ON waits FOR EACH ROW WHEN ((new.topic = 'approve'::text)) EXECUTE FUNCTION approval_opened();

create table webhook_deliveries (
  id uuid not null,
  account_id uuid not null,
  trigger_id uuid not null,
  at timestamp with time zone not null,
  method text not null,
  address text not null,
  outcome text not null,
  status smallint not null,
  reason text,
  delivery_id text,
  content_type text,
  bytes integer not null,
  content json,
  execution_id uuid,
  content_digest text,
  test boolean default false not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_outcome_check CHECK ((outcome = ANY (ARRAY['started'::text, 'duplicate'::text, 'refused'::text, 'failed'::text, 'received'::text, 'ignored'::text])))
);
CREATE INDEX webhook_deliveries_by_digest ON webhook_deliveries USING btree (trigger_id, content_digest, id DESC) WHERE ((content_digest IS NOT NULL) AND (outcome = 'started'::text));
CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries USING btree (at);
CREATE INDEX webhook_deliveries_by_trigger ON webhook_deliveries USING btree (trigger_id, id DESC);
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries USING btree (trigger_id, COALESCE(delivery_id, content_digest), at) WHERE ((outcome = 'failed'::text) AND (NOT test));
alter table webhook_deliveries enable row level security;
create policy account_isolation on webhook_deliveries as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on webhook_deliveries to millrace_account;

create table workflow_drafts (
  workflow_id uuid not null,
  account_id uuid not null,
  source text not null,
  syntax text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint workflow_drafts_pkey PRIMARY KEY (workflow_id),
  constraint workflow_drafts_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id),
  constraint workflow_drafts_syntax_check CHECK ((syntax = ANY (ARRAY['yaml'::text, 'json'::text])))
);
CREATE INDEX workflow_drafts_by_account ON workflow_drafts USING btree (account_id);
alter table workflow_drafts enable row level security;
create policy account_isolation on workflow_drafts as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on workflow_drafts to millrace_account;

create table workflow_origins (
  workflow_id uuid not null,
  account_id uuid not null,
  kind text not null,
  source text not null,
  version text not null,
  checksum text not null,
  imported_at timestamp with time zone not null,
  imported_by text not null,
  constraint workflow_origins_pkey PRIMARY KEY (workflow_id),
  constraint workflow_origins_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id) ON DELETE CASCADE,
  constraint workflow_origins_kind_check CHECK ((kind = ANY (ARRAY['template'::text, 'marketplace'::text])))
);
CREATE INDEX workflow_origins_by_account ON workflow_origins USING btree (account_id, kind, workflow_id DESC);
CREATE INDEX workflow_origins_by_source ON workflow_origins USING btree (account_id, kind, source);
alter table workflow_origins enable row level security;
create policy account_isolation on workflow_origins as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant insert, select on workflow_origins to millrace_account;

create table workflow_publish_requests (
  workflow_id uuid not null,
  account_id uuid not null,
  checksum text not null,
  note text,
  requested_at timestamp with time zone not null,
  requested_by text not null,
  constraint workflow_publish_requests_pkey PRIMARY KEY (workflow_id),
  constraint workflow_publish_requests_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id),
  constraint workflow_publish_requests_note_check CHECK ((char_length(note) <= 2000))
);
CREATE INDEX workflow_publish_requests_by_account ON workflow_publish_requests USING btree (account_id);
alter table workflow_publish_requests enable row level security;
create policy account_isolation on workflow_publish_requests as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on workflow_publish_requests to millrace_account;

create table workflow_samples (
  workflow_id uuid not null,
  account_id uuid not null,
  samples json not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint workflow_samples_pkey PRIMARY KEY (workflow_id),
  constraint workflow_samples_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id)
);
CREATE INDEX workflow_samples_by_account ON workflow_samples USING btree (account_id);
alter table workflow_samples enable row level security;
create policy account_isolation on workflow_samples as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on workflow_samples to millrace_account;

create table workflow_versions (
  id uuid not null,
  account_id uuid not null,
  workflow_id uuid not null,
  number integer not null,
  document_version text not null,
  definition json not null,
  source text not null,
  syntax text not null,
  checksum text not null,
  warnings json not null,
  checks_input boolean not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  resources json default '{}'::json not null,
  retention text generated always as ((definition #>> '{document,metadata,retention}'::text[])) stored,
  note text,
  constraint workflow_versions_pkey PRIMARY KEY (id),
  constraint workflow_versions_workflow_id_number_key UNIQUE (workflow_id, number),
  constraint workflow_versions_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id),
  constraint workflow_versions_note_check CHECK ((char_length(note) <= 2000)),
  constraint workflow_versions_number_check CHECK ((number <> 0)),
  constraint workflow_versions_syntax_check CHECK ((syntax = ANY (ARRAY['yaml'::text, 'json'::text])))
);
CREATE INDEX workflow_versions_retention ON workflow_versions USING btree (id) WHERE (retention IS NOT NULL);
alter table workflow_versions enable row level security;
create policy account_isolation on workflow_versions as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant insert, select on workflow_versions to millrace_account;
CREATE TRIGGER workflow_versions_change AFTER INSERT ON workflow_versions FOR EACH ROW WHEN ((new.number > 0)) EXECUTE FUNCTION version_was_published();

create table workflows (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  description text,
  tags text[] not null,
  namespace text not null,
  document_name text not null,
  enabled boolean not null,
  revision integer not null,
  definition json not null,
  source text not null,
  syntax text not null,
  checksum text not null,
  warnings json not null,
  triggers text[] not null,
  latest_version_id uuid,
  latest_number integer,
  latest_checksum text,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  deleted_at timestamp with time zone,
  managed_by text,
  minutes_per_run double precision,
  document_title text generated always as ((definition #>> '{document,title}'::text[])) stored,
  constraint workflows_pkey PRIMARY KEY (id),
  constraint workflows_check CHECK ((num_nulls(latest_version_id, latest_number, latest_checksum) = ANY (ARRAY[0, 3]))),
  constraint workflows_managed_by_check CHECK ((managed_by = ANY (ARRAY['chain'::text, 'agent'::text, 'mcp'::text]))),
  constraint workflows_minutes_per_run_check CHECK ((minutes_per_run >= (0)::double precision)),
  constraint workflows_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint workflows_syntax_check CHECK ((syntax = ANY (ARRAY['yaml'::text, 'json'::text])))
);
CREATE INDEX workflows_by_account ON workflows USING btree (account_id, id DESC) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX workflows_by_document ON workflows USING btree (account_id, namespace, document_name) WHERE (deleted_at IS NULL);
CREATE INDEX workflows_by_name ON workflows USING btree (account_id, lower(name) COLLATE "C", id) WHERE (deleted_at IS NULL);
alter table workflows enable row level security;
create policy account_isolation on workflows as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant insert, select, update on workflows to millrace_account;
comment on column workflows.checksum is 'SHA-256 of the canonical draft, in hexadecimal.';
comment on column workflows.created_by is 'Who did it, as kind:id.';
