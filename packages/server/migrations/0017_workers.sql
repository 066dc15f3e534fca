-- Processes that only accept executions run none, so an account's share is counted over those that do.
alter table processes add column works boolean not null default true;
