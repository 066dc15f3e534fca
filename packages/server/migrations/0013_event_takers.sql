-- Events that went to several executions, and positions of any length.

-- How many have got the event and not given it back. It is given back to the bus when the last of them does, so that nobody who keeps it gets it again.
alter table events add column takers integer not null default 0;
update events set takers = 1 where taken;

-- A position is as long as tasks are nested deep; an index takes no more than 2,700 bytes.
drop index listeners_by_execution;
create index listeners_by_execution on listeners (execution_id);
alter table waits drop constraint waits_pkey;
create unique index waits_by_position on waits (execution_id, md5(position));
