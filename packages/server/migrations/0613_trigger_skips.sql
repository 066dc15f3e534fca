-- Due times of schedules that could not start because a quota was used up. One whose firing still exists is made up for when the quota allows it.
create table trigger_skips (
  account_id uuid not null,
  trigger_id uuid not null,
  -- That of the firing.
  cause text not null,
  due_at timestamptz not null,
  at timestamptz not null,
  reason text not null,
  -- What it started later.
  execution_id uuid,
  primary key (trigger_id, cause)
);

create index trigger_skips_by_due on trigger_skips (trigger_id, due_at desc);
create index trigger_skips_of_account on trigger_skips (account_id, at);
create index trigger_skips_by_age on trigger_skips (at);

select millrace_isolate('trigger_skips');
