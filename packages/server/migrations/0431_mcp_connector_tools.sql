-- Functions of connectors that an account offers to MCP clients. Without a row a function is not offered. Each is compiled to a workflow, so that
-- a call is an execution.

alter table workflows drop constraint workflows_managed_by_check;
alter table workflows add constraint workflows_managed_by_check check (managed_by in ('chain', 'agent', 'mcp'));

create table mcp_connector_tools (
  account_id uuid not null references accounts (id) on delete cascade,
  -- Its full name, as in `slack.postMessage`.
  function text not null,
  summary text not null,
  -- Null for a function that needs no credentials.
  connection text,
  permission text not null check (permission in ('ask', 'allow')),
  -- Of the compiled definition.
  digest text not null,
  workflow_id uuid not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (account_id, function)
);

select millrace_isolate('mcp_connector_tools');
