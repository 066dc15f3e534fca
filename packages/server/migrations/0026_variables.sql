-- Settings and secrets that definitions read by name.

create table variables (
  id uuid primary key,
  account_id uuid not null,
  -- Null: for every workflow of the account.
  workflow_id uuid,
  environment text not null check (environment in ('all', 'draft', 'production')),
  name text not null check (char_length(name) between 1 and 100),
  kind text not null check (kind in ('text', 'number', 'boolean', 'json', 'secret')),
  -- Of a kind other than secret.
  value json,
  -- Of a secret: JSON, sealed under a key that is not in the database.
  sealed bytea,
  description text not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  check ((kind = 'secret') = (sealed is not null)),
  check ((kind = 'secret') = (value is null))
);

-- A name is one thing, a variable or a secret, in each scope and environment.
create unique index variables_by_name on variables (account_id, name, workflow_id, environment) nulls not distinct;
create index variables_by_account on variables (account_id, id desc);

select millrace_isolate('variables');
