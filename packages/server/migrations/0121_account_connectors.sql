-- Connectors of accounts: services whose operations definitions call by name.

create table account_connectors (
  id uuid primary key,
  account_id uuid not null,
  name text not null check (char_length(name) between 2 and 63),
  kind text not null check (kind in ('manifest', 'openapi', 'mcp')),
  title text not null,
  version text not null,
  -- Where the document or the MCP server is; null for a document that was sent.
  url text,
  -- The OpenAPI document, or the tools of the MCP server, as JSON.
  document json not null,
  -- Names and summaries of its functions.
  functions json not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  constraint account_connectors_name_unique unique (account_id, name)
);

create index account_connectors_by_account on account_connectors (account_id, id desc);

select millrace_isolate('account_connectors');
