-- Erasures of persons (docs/privacy.md). The values that are looked for are sealed, and removed when the erasure is done.

create table privacy_erasures (
  id uuid primary key,
  account_id uuid not null,
  state text not null check (state in ('running', 'waiting', 'done')),
  -- Under the key of the account; null when the erasure is done.
  sealed bytea,
  given smallint not null,
  reason text,
  -- Whether forms of the installation, which belong to no account, are included.
  includes_forms boolean not null,
  -- Records by table, added to in the transaction that changes them.
  erased jsonb not null default '{}',
  -- [{ "table": …, "records": …, "reason": … }] of the last pass.
  kept jsonb not null default '[]',
  requested_at timestamptz not null,
  requested_by text not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'done') = (ended_at is not null)),
  check ((state = 'done') = (sealed is null))
);

create index privacy_erasures_by_account on privacy_erasures (account_id, id desc);
create index privacy_erasures_open on privacy_erasures (updated_at) where state <> 'done';

select millrace_isolate('privacy_erasures', privileges => 'select, insert');

-- In place of salt, address and details once they are erased: what the leaf of the event commits to.
alter table audit_events add column commitment bytea check (octet_length(commitment) = 32);

create or replace function audit_events_refuse_change() returns trigger
language plpgsql
as $$
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
$$;
