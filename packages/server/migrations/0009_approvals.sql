-- Approvals: the questions of waiting tasks to people, and their decisions.

-- One for each wait of the topic "approve". The triggers below insert and end it in the transactions in which the engine opens and ends the
-- wait, so none is missed and no process has to search for new ones.
create table approvals (
  id uuid primary key,
  account_id uuid not null,
  execution_id uuid not null,
  -- Of the wait.
  position text not null,
  arguments json not null,
  opened_at timestamptz not null,
  -- `expired`: the deadline decided. `closed`: the task was abandoned before a decision.
  state text not null default 'open' check (state in ('open', 'approved', 'rejected', 'expired', 'closed')),
  -- Completed steps: 1 when the first approvers are recorded, one more for each escalation.
  steps smallint not null default 0,
  -- The current approvers: `mail:…`, `user:…`, `role:admin:<account>`. For the list of a user's open approvals.
  asked text[] not null default '{}',
  -- Users who may not decide, because they started the execution.
  barred uuid[] not null default '{}',
  ended_at timestamptz,
  -- The output of the task, from the decision on.
  output json,
  -- When the next step is due: invitations, an escalation, the deadline, or a verdict to be delivered to the execution.
  due_at timestamptz,
  check ((state = 'open') = (ended_at is null)),
  unique (account_id, id)
);

create unique index approvals_by_wait on approvals (execution_id, position);
create index approvals_by_account on approvals (account_id, id desc);
create index approvals_by_state on approvals (account_id, state, id desc);
create index approvals_unstarted on approvals (account_id) where steps = 0 and state = 'open';
create index approvals_due on approvals (due_at) where due_at is not null;
create index approvals_asked on approvals using gin (asked) where state = 'open';

select millrace_isolate('approvals', privileges => 'select, update');

-- Mails to approvers, each with a link of its own, and notices to others.
create table approval_mails (
  id uuid primary key,
  account_id uuid not null,
  approval_id uuid not null,
  step smallint not null,
  kind text not null check (kind in ('link', 'notice')),
  email text not null,
  name text,
  -- The user of the account with this address.
  user_id uuid,
  -- SHA-256 of the token in the link.
  token_hash bytea unique check (octet_length(token_hash) = 32),
  -- The token, sealed under a key that is not in the database, until the mail is sent: a second attempt sends the same mail.
  sealed_token bytea,
  attempts smallint not null default 0,
  -- Null when it was sent, failed for good, or is no longer needed.
  next_attempt_at timestamptz,
  sent_at timestamptz,
  failure text,
  foreign key (account_id, approval_id) references approvals (account_id, id) on delete cascade,
  unique (approval_id, step, kind, email)
);

-- Mails are sent account by account in turn.
create index approval_mails_due on approval_mails (account_id, next_attempt_at) where next_attempt_at is not null;
create index approval_mails_by_account on approval_mails (account_id, approval_id);

select millrace_isolate('approval_mails', privileges => 'select');

create table approval_answers (
  id uuid primary key,
  account_id uuid not null,
  approval_id uuid not null,
  -- `user:…` for users of the account, however they decided, else `mail:…`: each decides once.
  person text not null,
  email text not null,
  name text,
  user_id uuid,
  -- The approver as whom they decided; the same text as in `asked`.
  asked_as text not null,
  decision text not null check (decision in ('approve', 'reject')),
  reason text,
  data json,
  via text not null check (via in ('api', 'link')),
  -- The mail whose link was used.
  mail_id uuid unique,
  answered_at timestamptz not null,
  foreign key (account_id, approval_id) references approvals (account_id, id) on delete cascade,
  unique (approval_id, person)
);

create index approval_answers_by_account on approval_answers (account_id, approval_id);

select millrace_isolate('approval_answers', privileges => 'select, insert');

-- Ended waits of approvals. Only inserts, so that the engine never waits for the lock of a decision.
create table approval_ends (
  id bigint generated always as identity primary key,
  execution_id uuid not null,
  position text not null
);

create function approval_opened() returns trigger
language plpgsql
as $$
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
$$;

create function approval_ended() returns trigger
language plpgsql
as $$
begin
  insert into approval_ends (execution_id, position) values (old.execution_id, old.position);
  return null;
end
$$;

create trigger waits_approval_opened after insert on waits for each row when (new.topic = 'approve') execute function approval_opened();
create trigger waits_approval_ended after delete on waits for each row when (old.topic = 'approve') execute function approval_ended();
