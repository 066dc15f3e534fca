-- Definitions and watches name their connection, so a trigger waits for a connection of that name: also for another one after the first was deleted.
alter table triggers add column paused_connection text;

update triggers t set paused_connection = c.name from connections c where c.account_id = t.account_id and c.id = t.paused_connection_id;

alter table triggers drop column paused_connection_id;

create index triggers_by_paused_connection on triggers (account_id, paused_connection) where paused_connection is not null;
