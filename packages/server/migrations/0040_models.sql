-- What accounts use of models, by day (UTC) and model: for budgets and bills.
create table model_usage (
  account_id uuid not null references accounts (id) on delete cascade,
  day date not null,
  -- Name of the model in the configuration.
  model text not null,
  calls integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  primary key (account_id, day, model)
);

select millrace_isolate('model_usage');
