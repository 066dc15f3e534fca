-- How many executions caused the event, one after the other: that of the execution that emits it, and 0 for an event from outside.
alter table events add column depth smallint not null default 0;
