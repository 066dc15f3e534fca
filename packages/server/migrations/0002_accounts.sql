-- Accounts: the tenants.

create table accounts (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 200),
  created_at timestamptz not null default now()
);

select millrace_isolate('accounts', privileges => 'select, update, delete', account_column => 'id');

-- Deleted accounts whose executions are still being deleted: those have to end first.
create table deleted_accounts (
  id uuid primary key,
  deleted_at timestamptz not null
);

-- Written in the transaction that deletes the account, under the account's role.
select millrace_isolate('deleted_accounts', privileges => 'insert', account_column => 'id');

-- How long an account keeps ended executions. Workflows set it in their definition, the installation in its configuration.
create table account_retention (
  account_id uuid primary key references accounts (id) on delete cascade,
  -- Null: for ever.
  milliseconds bigint check (milliseconds > 0)
);

select millrace_isolate('account_retention', privileges => 'select');
