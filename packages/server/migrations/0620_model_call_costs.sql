-- What a call cost, how long it took, how its answer ended, and the workflow that asked; null for calls before.
alter table model_calls add column workflow_id uuid;
alter table model_calls add column cost_micros bigint;
alter table model_calls add column duration_ms bigint;
alter table model_calls add column finish text;
