-- What a run of an agent called, by the name of the tool: {"orders": {"calls": 3, "failed": 1, "refused": 0, "approved": 2, "rejected": 1}}.
alter table agent_runs add column tool_use jsonb not null default '{}';
