-- Tests of definitions: versions with a negative number, which only executions of the origin `test` run, and the samples of a workflow.

alter table workflow_versions drop constraint workflow_versions_number_check, add check (number <> 0);

drop trigger workflow_versions_change on workflow_versions;
create trigger workflow_versions_change after insert on workflow_versions for each row
  when (new.number > 0) execute function version_was_published();

-- Inputs and outputs of tasks with which they are tested.
create table workflow_samples (
  workflow_id uuid primary key references workflows (id),
  account_id uuid not null,
  samples json not null,
  updated_at timestamptz not null,
  updated_by text not null
);

create index workflow_samples_by_account on workflow_samples (account_id);

select millrace_isolate('workflow_samples');
