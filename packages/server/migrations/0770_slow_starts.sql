-- Starts that took too long are counted apart: a trigger is refused for its own slowness, not for failures of the server.
alter table trigger_firings add column slow_starts smallint not null default 0;
