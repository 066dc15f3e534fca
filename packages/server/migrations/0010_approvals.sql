-- Approvals: what waiting tasks ask people, whom, and what these have answered.

-- One for each wait of the topic "approve", made and noticed to be over in the very transactions in which the engine opens and ends the
-- wait (triggers below). So none is missed, and none has to be looked for.
create table approvals (
  id uuid primary key,
  account_id uuid not null,
  execution_id uuid not null,
  -- Of the wait.
  position text not null,
  arguments json not null,
  opened_at timestamptz not null,
  -- `expired`: the deadline decided. `closed`: nobody did, since the task was abandoned.
  state text not null default 'open' check (state in ('open', 'approved', 'rejected', 'expired', 'closed')),
  -- How many steps have been taken: 1 when those who are asked first have been told, one more for each escalation.
  steps smallint not null default 0,
  -- Who is asked at the moment: `mail:…`, `user:…`, `role:…`. For the list of what somebody can answer.
  asked text[] not null default '{}',
  -- Who started the execution, where they may not answer.
  barred uuid[] not null default '{}',
  ended_at timestamptz,
  -- What the task gives, from the decision on.
  output json,
  -- When there is something to be done: people to be told, an escalation, the deadline, a decision to be handed to the execution.
  due_at timestamptz,
  check ((state = 'open') = (ended_at is null)),
  unique (account_id, id)
);

create unique index approvals_by_wait on approvals (execution_id, position);
create index approvals_by_account on approvals (account_id, id desc);
create index approvals_by_state on approvals (account_id, state, id desc);
create index approvals_untold on approvals (account_id) where steps = 0 and state = 'open';
create index approvals_due on approvals (due_at) where due_at is not null;

select millrace_isolate('approvals', privileges => 'select, update');

-- Mails to those who are asked, each with a link of its own, and to those who are only told.
create table approval_mails (
  id uuid primary key,
  account_id uuid not null,
  approval_id uuid not null,
  step smallint not null,
  kind text not null check (kind in ('link', 'notice')),
  email text not null,
  name text,
  -- The user of the account whom the address belongs to.
  user_id uuid,
  -- SHA-256 of the token in the link.
  token_hash bytea unique check (octet_length(token_hash) = 32),
  -- The token, sealed under a key that is not in the database, until the mail has been sent: a mail that has to be sent again is the same mail.
  sealed_token bytea,
  attempts smallint not null default 0,
  -- Null when it was sent, given up, or is not needed any more.
  next_attempt_at timestamptz,
  sent_at timestamptz,
  failure text,
  foreign key (account_id, approval_id) references approvals (account_id, id) on delete cascade,
  unique (approval_id, step, kind, email)
);

create index approval_mails_due on approval_mails (next_attempt_at) where next_attempt_at is not null;
create index approval_mails_by_account on approval_mails (account_id, approval_id);

select millrace_isolate('approval_mails', privileges => 'select');

create table approval_answers (
  id uuid primary key,
  account_id uuid not null,
  approval_id uuid not null,
  -- `user:…` for users of the account, however they answered, else `mail:…`: each answers once.
  person text not null,
  email text not null,
  name text,
  user_id uuid,
  -- As whom of those who are asked; the same texts as in `asked`.
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

-- Waits that are over. Rows are only added here, so that the engine never waits for somebody who is answering.
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
