-- The audit log of an account is streamed to these systems. The position is the next leaf to be sent: leaves are visible in the order of the
-- log, since one transaction at a time appends them, so a position that was saved never skips one.

create table audit_destinations (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  -- Kind and address.
  target jsonb not null,
  -- Sealed under the secret key of the installation; null for syslog.
  secret bytea,
  next_day date not null,
  next_index integer not null check (next_index >= 0),
  state text not null check (state in ('active', 'paused')),
  paused_reason text,
  -- Failed attempts since the last success.
  attempts integer not null default 0,
  failing_since timestamptz,
  last_error text,
  due_at timestamptz not null,
  -- During an attempt. Only the process with this claim moves the position.
  claim uuid,
  claimed_until timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  check ((state = 'paused') = (paused_reason is not null)),
  check ((claim is null) = (claimed_until is null))
);

create index audit_destinations_by_account on audit_destinations (account_id, id desc);
create index audit_destinations_due on audit_destinations (due_at) where state = 'active';

select millrace_isolate('audit_destinations');
