-- API keys.

create table api_keys (
  id uuid primary key,
  account_id uuid not null,
  -- The user for whom the key acts; it never has more permissions than this user.
  user_id uuid not null,
  name text not null check (char_length(name) between 1 and 200),
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade,
  unique (account_id, id)
);

create index api_keys_by_user on api_keys (account_id, user_id, id desc);

select millrace_isolate('api_keys');

-- The secrets of a key: the current one, and its predecessor while a rotation overlaps.
create table api_key_secrets (
  hash bytea primary key check (octet_length(hash) = 32),
  key_id uuid not null,
  account_id uuid not null,
  -- The first 12 characters, by which a secret is looked up.
  prefix text not null check (char_length(prefix) = 12),
  created_at timestamptz not null,
  -- Set when a rotation replaces the secret: it stays valid until then.
  valid_until timestamptz,
  foreign key (account_id, key_id) references api_keys (account_id, id) on delete cascade
);

create index api_key_secrets_by_prefix on api_key_secrets (prefix);
create index api_key_secrets_by_key on api_key_secrets (account_id, key_id);

select millrace_isolate('api_key_secrets');
