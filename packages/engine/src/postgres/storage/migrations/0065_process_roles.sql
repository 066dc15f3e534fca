-- What each process does, so that an operator sees a role that no process has.
alter table processes add column roles text[] not null default '{}';
