-- When an erasure is continued, and what it waits for, so that a pass neither repeats a search in vain nor joins another pass.
alter table privacy_erasures
  add column due_at timestamptz not null default now(),
  -- While a process is at it; a dead process is replaced after that.
  add column claimed_until timestamptz,
  -- Passes since the first one that could not end it: they take place ever more rarely.
  add column attempts integer not null default 0,
  -- Why the last pass failed; null if it did not.
  add column problem text,
  -- Executions that had the data and had not ended; null before the first pass has ended.
  add column waits_for uuid[],
  -- When nothing but copies that were being prepared was left: later ones do not have the data.
  add column searched_at timestamptz;

drop index privacy_erasures_open;
create index privacy_erasures_due on privacy_erasures (due_at) where state <> 'done';
