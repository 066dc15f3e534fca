-- The execution whose end started this one, or one that this one descends from: what an end has started starts nothing by its own end.
alter table executions add column caused_by uuid;

create index executions_caused on executions (caused_by, id) where caused_by is not null;
