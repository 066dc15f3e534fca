-- A privacy policy is for one point of executions: their input, the outcomes that are journalled, the output that callers get, the prompts for
-- models, or the messages of errors (docs/privacy.md). Earlier policies are for the input.

alter table privacy_policies add column point text not null default 'input' check (point in ('input', 'journal', 'output', 'prompts', 'logs'));
alter table privacy_policies alter column point drop default;
drop index privacy_policies_by_workflow;
create unique index privacy_policies_by_point on privacy_policies (account_id, workflow_id, point) nulls not distinct;

alter table privacy_decisions drop constraint privacy_decisions_source_check;
alter table privacy_decisions add constraint privacy_decisions_source_check
  check (source in ('check', 'redact', 'execution', 'journal', 'output', 'prompts', 'logs', 'egress')) not valid;
