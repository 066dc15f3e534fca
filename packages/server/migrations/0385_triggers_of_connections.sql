-- The connection whose authorization ended, for triggers that wait until it is authorized again.
alter table triggers add column paused_connection_id uuid;
