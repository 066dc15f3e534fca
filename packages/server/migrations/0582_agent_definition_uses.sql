-- Definitions of agents are forgotten by their last use: one that a run has just found must not be removed before the run starts.

alter table agent_definitions add used_at timestamptz;
update agent_definitions set used_at = created_at;
alter table agent_definitions alter used_at set default now(), alter used_at set not null;
