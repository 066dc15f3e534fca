-- Models that accounts connected with their own keys.
create table account_models (
  id uuid primary key,
  account_id uuid not null,
  name text not null check (char_length(name) between 1 and 63),
  kind text not null check (kind in ('openai', 'anthropic', 'ollama')),
  url text not null,
  model text not null,
  roles text[] not null,
  -- Of a million tokens; null for a model whose calls are not counted in money.
  price_input double precision,
  price_output double precision,
  -- Where the endpoint processes data; null if the account does not say.
  region text,
  max_output_tokens integer not null,
  structured boolean not null,
  -- The key, sealed under the key of the account; null without one.
  sealed bytea,
  state text not null check (state in ('ready', 'failed', 'unauthorized')),
  problem text,
  tested_at timestamptz not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  constraint account_models_name_unique unique (account_id, name),
  check ((price_input is null) = (price_output is null))
);

select millrace_isolate('account_models');

-- When an account uses the models of the installation; an account without a row uses them for roles in which it has no model.
create table account_model_settings (
  account_id uuid primary key,
  installation_models text not null check (installation_models in ('fallback', 'missing', 'never')),
  updated_at timestamptz not null,
  updated_by text not null
);

select millrace_isolate('account_model_settings');

-- Whether the account paid by its own key: such calls do not count for the limit of money of the installation.
alter table model_usage add column own boolean not null default false;
