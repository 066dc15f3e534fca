-- Connections of accounts to services: credentials that workflows use by name.

create table connections (
  id uuid primary key,
  account_id uuid not null,
  name text not null check (char_length(name) between 1 and 63),
  kind text not null check (kind in ('api-key', 'bearer', 'basic', 'oauth2', 'database', 'smtp', 'imap', 's3')),
  description text not null,
  -- Without secrets.
  settings json not null,
  secret_names text[] not null,
  -- Secrets as JSON, sealed under the key of the account.
  sealed bytea not null,
  -- Tokens of OAuth as JSON, sealed likewise; replaced at each refresh, under a lock of the row.
  tokens bytea,
  state text not null check (state in ('ready', 'failed', 'unauthorized')),
  problem text,
  tested_at timestamptz,
  expires_at timestamptz,
  -- When administrators were notified that it expires.
  notified_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  constraint connections_name_unique unique (account_id, name)
);

create index connections_by_account on connections (account_id, id desc);
create index connections_expiring on connections (expires_at) where expires_at is not null and notified_at is null;

select millrace_isolate('connections');

-- Consents to OAuth that a person has begun: the digest of the state, and the sealed verifier of PKCE. A row is used once, within minutes.
create table connection_authorizations (
  state_digest bytea primary key,
  account_id uuid not null,
  connection_id uuid not null references connections (id) on delete cascade,
  user_id uuid not null,
  verifier bytea not null,
  expires_at timestamptz not null
);

create index connection_authorizations_by_connection on connection_authorizations (connection_id);
create index connection_authorizations_by_account on connection_authorizations (account_id);

select millrace_isolate('connection_authorizations');
