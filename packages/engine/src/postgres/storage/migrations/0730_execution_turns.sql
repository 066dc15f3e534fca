-- The executions of workflows that limit how many of them run at once: those that have a turn, and those that wait for one in the order of their
-- ids. Rows of ended executions count no more, and are deleted by the next that takes or passes a turn.
create table execution_turns (
  execution_id uuid primary key,
  account_id uuid not null,
  workflow_id uuid not null,
  -- How many executions of the workflow may run at once, by the version of this one.
  turn_max int not null,
  admitted boolean not null
);

create index execution_turns_admitted on execution_turns (workflow_id) where admitted;
create index execution_turns_waiting on execution_turns (workflow_id, execution_id) where not admitted;

select millrace_isolate('execution_turns', privileges => 'select');
