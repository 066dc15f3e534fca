-- Triggers that watch something outside: a feed, a mailbox, the rows of a table, the objects of a bucket.

alter table triggers
  drop constraint triggers_kind_check,
  add constraint triggers_kind_check check (kind in ('manual', 'schedule', 'webhook', 'event', 'watch'));

-- How far a watch is. The position is written in the transaction that also writes the firings of what is new, so that each item starts once.
create table trigger_watches (
  trigger_id uuid primary key references triggers (id) on delete cascade,
  account_id uuid not null,
  -- When to look next; null while the trigger is disabled. A process that looks moves it ahead, so that another takes over if the process dies.
  look_at timestamptz,
  -- Counts the looks: the result of one that was overtaken is dropped.
  claim integer not null default 0,
  -- Null before the first look.
  position json,
  failures integer not null default 0,
  problem text,
  looked_at timestamptz
);

create index trigger_watches_due on trigger_watches (look_at) where look_at is not null;
create index trigger_watches_by_account on trigger_watches (account_id);

select millrace_isolate('trigger_watches');
