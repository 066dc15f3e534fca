-- Authorization of MCP clients by OAuth 2.1. A grant is an API key of a client: its access tokens are secrets that end, and its refresh token
-- is the secret without an end.

create table oauth_clients (
  id text primary key,
  name text not null,
  redirect_uris text[] not null,
  created_at timestamptz not null
);

create table oauth_codes (
  -- SHA-256 of the code.
  hash bytea primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  user_id uuid not null,
  client_id text not null,
  redirect_uri text not null,
  scopes text[] not null,
  -- Of PKCE: the SHA-256 of the verifier in base64url.
  challenge text not null,
  expires_at timestamptz not null
);

select millrace_isolate('oauth_codes');

-- Null for a key that a user made.
alter table api_keys add column client_id text;
-- A spent refresh token ends its grant when it is used again.
alter table api_key_secrets add column kind text not null default 'access' check (kind in ('access', 'refresh', 'spent'));
