-- What models cost, in millionths of the currency in which the operator has written their prices.

alter table model_usage add column cost_micros bigint not null default 0;
alter table agent_runs add column cost_micros bigint not null default 0;
alter table agent_runs drop constraint agent_runs_outcome_check;
alter table agent_runs add constraint agent_runs_outcome_check
  check (outcome in ('answered', 'step_limit', 'token_limit', 'cost_limit', 'time_limit', 'faulted', 'cancelled'));
