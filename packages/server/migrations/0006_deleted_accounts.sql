-- Accounts that are gone while what their workflows left behind is still being deleted: executions have to end before their rows can go.
create table deleted_accounts (
  id uuid primary key,
  deleted_at timestamptz not null
);

-- An account that goes says so of itself, in the transaction that deletes it.
select millrace_isolate('deleted_accounts', privileges => 'insert', account_column => 'id');
