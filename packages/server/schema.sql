-- Generated from the migrated database by "npm run generate". Do not edit: this file is for reading and for reviewing what a
-- migration changes. Databases are made by the migrations.

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

CREATE OR REPLACE FUNCTION public.audit_events_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'audit_events is append-only: % refused', lower(tg_op) using errcode = 'insufficient_privilege';
end
$function$;

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

create table account_retention (
  account_id uuid not null,
  milliseconds bigint,
  constraint account_retention_pkey PRIMARY KEY (account_id),
  constraint account_retention_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_retention_milliseconds_check CHECK ((milliseconds > 0))
);
alter table account_retention enable row level security;
create policy account_isolation on account_retention as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on account_retention to millrace_account;

create table accounts (
  id uuid not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
);
alter table accounts enable row level security;
create policy account_isolation on accounts as permissive for all to millrace_account using (id = (current_setting('millrace.account_id'::text))::uuid) with check (id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, select, update on accounts to millrace_account;

create table api_key_secrets (
  hash bytea not null,
  key_id uuid not null,
  account_id uuid not null,
  prefix text not null,
  created_at timestamp with time zone not null,
  valid_until timestamp with time zone,
  constraint api_key_secrets_pkey PRIMARY KEY (hash),
  constraint api_key_secrets_account_id_key_id_fkey FOREIGN KEY (account_id, key_id) REFERENCES api_keys(account_id, id) ON DELETE CASCADE,
  constraint api_key_secrets_hash_check CHECK ((octet_length(hash) = 32)),
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
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_account_id_id_key UNIQUE (account_id, id),
  constraint api_keys_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE,
  constraint api_keys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
);
CREATE INDEX api_keys_by_user ON api_keys USING btree (account_id, user_id, id DESC);
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
  constraint audit_events_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_events_account_at ON audit_events USING btree (account_id, at DESC, id DESC);
alter table audit_events enable row level security;
create policy account_isolation on audit_events as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant insert, select on audit_events to millrace_account;
CREATE TRIGGER audit_events_append_only BEFORE DELETE OR UPDATE ON audit_events FOR EACH ROW EXECUTE FUNCTION audit_events_refuse_change();
CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION audit_events_refuse_change();
comment on column audit_events.account_id is 'Null for what concerns no account: an operator''s act, a sign-in with an unknown address.';
comment on column audit_events.actor is 'Who did it, as kind:id: user:…, key:…, operator:…, system:… or anonymous.';
comment on column audit_events.target is 'What it was done to, as a TypeID.';

create table dead_letters (
  id uuid not null,
  account_id uuid not null,
  execution_id uuid,
  reason text not null,
  attempts integer not null,
  payload json not null,
  created_at timestamp with time zone not null,
  kind text default 'execution'::text not null,
  workflow_id uuid generated always as (((payload ->> 'workflowId'::text))::uuid) stored,
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
  constraint deleted_accounts_pkey PRIMARY KEY (id)
);
alter table deleted_accounts enable row level security;
create policy account_isolation on deleted_accounts as permissive for all to millrace_account using (id = (current_setting('millrace.account_id'::text))::uuid) with check (id = (current_setting('millrace.account_id'::text))::uuid);
grant insert on deleted_accounts to millrace_account;

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

create table execution_retries (
  retry_of uuid not null,
  account_id uuid not null,
  execution_id uuid not null,
  keys json,
  constraint execution_retries_pkey PRIMARY KEY (retry_of)
);
alter table execution_retries enable row level security;
create policy account_isolation on execution_retries as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on execution_retries to millrace_account;

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
  constraint executions_pkey PRIMARY KEY (id),
  constraint executions_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'running'::text, 'waiting'::text, 'suspended'::text, 'completed'::text, 'faulted'::text, 'cancelled'::text])))
) partition by range (id);
CREATE INDEX executions_by_account ON ONLY executions USING btree (account_id, id DESC);
CREATE INDEX executions_by_claim ON ONLY executions USING btree (claimed_by) WHERE (claimed_by IS NOT NULL);
CREATE INDEX executions_by_filter ON ONLY executions USING btree (workflow_id, state, trigger, id DESC NULLS LAST);
CREATE INDEX executions_by_parent ON ONLY executions USING btree (parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX executions_by_wake ON ONLY executions USING btree (wake_at) WHERE ((state = 'waiting'::text) AND (wake_at IS NOT NULL));
CREATE INDEX executions_by_workflow ON ONLY executions USING btree (workflow_id, id DESC NULLS LAST);
CREATE INDEX executions_pending ON ONLY executions USING btree (created_at) WHERE (state = 'pending'::text);
CREATE INDEX executions_signalled ON ONLY executions USING btree (claimed_by) WHERE (signalled_at IS NOT NULL);
CREATE INDEX executions_waiting ON ONLY executions USING btree (account_id) WHERE (state = 'waiting'::text);
alter table executions enable row level security;
create policy account_isolation on executions as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant select on executions to millrace_account;

create table idempotency_keys (
  lookup bytea not null,
  account_id uuid,
  operation text not null,
  fingerprint bytea not null,
  status smallint,
  reply bytea,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (lookup),
  constraint idempotency_keys_fingerprint_check CHECK ((octet_length(fingerprint) = 32)),
  constraint idempotency_keys_lookup_check CHECK ((octet_length(lookup) = 32))
);
CREATE INDEX idempotency_keys_expires_at ON idempotency_keys USING btree (expires_at);
alter table idempotency_keys enable row level security;
create policy account_isolation on idempotency_keys as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on idempotency_keys to millrace_account;

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

create table operator_codes (
  hash bytea not null,
  created_at timestamp with time zone not null,
  constraint operator_codes_pkey PRIMARY KEY (hash),
  constraint operator_codes_hash_check CHECK ((octet_length(hash) = 32))
);

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

create table users (
  id uuid not null,
  account_id uuid not null,
  email text not null,
  name text,
  role text not null,
  is_operator boolean default false not null,
  created_at timestamp with time zone not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_account_id_id_key UNIQUE (account_id, id),
  constraint users_email_unique UNIQUE (email),
  constraint users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint users_email_check CHECK (((char_length(email) >= 3) AND (char_length(email) <= 320))),
  constraint users_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint users_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'member'::text, 'admin'::text, 'owner'::text])))
);
alter table users enable row level security;
create policy account_isolation on users as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant delete, insert, select, update on users to millrace_account;

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
  constraint workflow_versions_pkey PRIMARY KEY (id),
  constraint workflow_versions_workflow_id_number_key UNIQUE (workflow_id, number),
  constraint workflow_versions_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id),
  constraint workflow_versions_number_check CHECK ((number > 0)),
  constraint workflow_versions_syntax_check CHECK ((syntax = ANY (ARRAY['yaml'::text, 'json'::text])))
);
CREATE INDEX workflow_versions_retention ON workflow_versions USING btree (id) WHERE (retention IS NOT NULL);
alter table workflow_versions enable row level security;
create policy account_isolation on workflow_versions as permissive for all to millrace_account using (account_id = (current_setting('millrace.account_id'::text))::uuid) with check (account_id = (current_setting('millrace.account_id'::text))::uuid);
grant insert, select on workflow_versions to millrace_account;

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
  constraint workflows_pkey PRIMARY KEY (id),
  constraint workflows_check CHECK ((num_nulls(latest_version_id, latest_number, latest_checksum) = ANY (ARRAY[0, 3]))),
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
