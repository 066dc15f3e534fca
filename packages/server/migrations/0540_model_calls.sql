-- Calls of models that returned a text, with digests of prompt and answer, and the texts where the account or the operator has chosen to keep them.
create table model_calls (
  id uuid primary key,
  account_id uuid not null,
  -- Null for a request of a person.
  execution_id uuid,
  position text,
  role text not null,
  model text not null,
  model_id text not null,
  prompt_digest text not null,
  answer_digest text not null,
  -- JSON, as it left and reached the installation; both or none.
  prompt text,
  answer text,
  input_tokens bigint not null,
  output_tokens bigint not null,
  at timestamptz not null,
  expires_at timestamptz not null,
  check ((prompt is null) = (answer is null))
);

create index model_calls_by_account on model_calls (account_id, id desc);
create index model_calls_by_execution on model_calls (account_id, execution_id, id desc) where execution_id is not null;
create index model_calls_by_expiry on model_calls (expires_at);

select millrace_isolate('model_calls', privileges => 'select, insert');

-- Null: what the operator has configured.
alter table account_model_settings add column texts text check (texts in ('hashed', 'kept'));
