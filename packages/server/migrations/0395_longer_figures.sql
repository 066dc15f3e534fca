-- Figures for parts of 4, 16 and 64 days, and of all workflows of an account together, so that a year of many workflows takes few rows. Parts begin at
-- whole multiples of their length since 1970.

alter table execution_counts drop constraint execution_counts_minutes_check;
alter table execution_counts alter column minutes type integer;
alter table execution_counts add constraint execution_counts_minutes_check check (minutes in (15, 60, 1440, 5760, 23040, 92160));
alter table execution_times drop constraint execution_times_minutes_check;
alter table execution_times alter column minutes type integer;
alter table execution_times add constraint execution_times_minutes_check check (minutes in (15, 60, 1440, 5760, 23040, 92160));
alter table execution_failures drop constraint execution_failures_minutes_check;
alter table execution_failures alter column minutes type integer;
alter table execution_failures add constraint execution_failures_minutes_check check (minutes in (15, 60, 1440, 5760, 23040, 92160));

insert into execution_counts (account_id, workflow_id, minutes, at, state, executions, retries, begun, duration_ms, wait_ms)
select account_id, workflow_id, part.minutes, date_bin(make_interval(mins => part.minutes), at, timestamptz '1970-01-01T00:00:00Z'), state,
  sum(executions), sum(retries), sum(begun), sum(duration_ms), sum(wait_ms)
from execution_counts c cross join (values (5760), (23040), (92160)) as part (minutes) where c.minutes = 1440 group by 1, 2, 3, 4, 5;

insert into execution_times (account_id, workflow_id, minutes, at, measure, class, executions)
select account_id, workflow_id, part.minutes, date_bin(make_interval(mins => part.minutes), at, timestamptz '1970-01-01T00:00:00Z'), measure, class,
  sum(executions)
from execution_times c cross join (values (5760), (23040), (92160)) as part (minutes) where c.minutes = 1440 group by 1, 2, 3, 4, 5, 6;

insert into execution_failures (account_id, workflow_id, minutes, at, task, error_type, executions)
select account_id, workflow_id, part.minutes, date_bin(make_interval(mins => part.minutes), at, timestamptz '1970-01-01T00:00:00Z'), task, error_type,
  sum(executions)
from execution_failures c cross join (values (5760), (23040), (92160)) as part (minutes) where c.minutes = 1440 group by 1, 2, 3, 4, 5, 6;

-- The workflow without bits stands for all of the account.
insert into execution_counts (account_id, workflow_id, minutes, at, state, executions, retries, begun, duration_ms, wait_ms)
select account_id, '00000000-0000-0000-0000-000000000000', minutes, at, state, sum(executions), sum(retries), sum(begun), sum(duration_ms), sum(wait_ms)
from execution_counts group by account_id, minutes, at, state;

insert into execution_times (account_id, workflow_id, minutes, at, measure, class, executions)
select account_id, '00000000-0000-0000-0000-000000000000', minutes, at, measure, class, sum(executions)
from execution_times group by account_id, minutes, at, measure, class;
