-- Triggers of events that the ends of executions fire.
-- The execution whose end is the event. The event is made of its row when the workflow starts, so that nothing of it is copied.
alter table trigger_firings add column execution_id uuid;

-- How many executions the trigger has started by ends since the begin of the current window.
alter table triggers add column ends_since timestamptz;
alter table triggers add column ends_started integer not null default 0;
