-- Settings and consents of accounts, and exports of their data (docs/account.md).

alter table accounts
  add column locale text,
  add column time_zone text,
  add column revision integer not null default 1;

-- Until now only the operator set it. Row-level security binds the account to its own row.
grant insert, update, delete on account_retention to millrace_account;

create table consents (
  id uuid primary key,
  account_id uuid not null,
  kind text not null check (kind in ('cross-border', 'privacy-preferences')),
  state text not null check (state in ('given', 'withdrawn', 'replaced')),
  -- What was consented to, and the changes of state with time and actor.
  terms jsonb not null,
  events jsonb not null,
  expires_at timestamptz,
  created_at timestamptz not null
);

create index consents_by_account on consents (account_id, id desc);
-- One consent of a kind is in force.
create unique index consents_given on consents (account_id, kind) where state = 'given';

select millrace_isolate('consents', privileges => 'select, insert, update');

create table privacy_preferences (
  account_id uuid primary key,
  preferences jsonb not null,
  revision integer not null default 1,
  updated_at timestamptz not null
);

select millrace_isolate('privacy_preferences', privileges => 'select, insert, update');

-- Files of any size, in chunks (platform/files).
create table files (
  id uuid primary key,
  account_id uuid not null,
  -- The thing that the file belongs to, as kind:id.
  owner text not null,
  name text not null,
  media text not null,
  -- Null while the file is being written.
  bytes bigint,
  sha256 bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (account_id, id)
);

create index files_by_expiry on files (expires_at);

select millrace_isolate('files');

create table file_chunks (
  file_id uuid not null,
  index integer not null,
  account_id uuid not null,
  content bytea not null,
  primary key (file_id, index),
  foreign key (account_id, file_id) references files (account_id, id) on delete cascade
);

alter table file_chunks alter column content set storage external;

select millrace_isolate('file_chunks');

-- Links, each for one download.
create table file_links (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  account_id uuid not null,
  file_id uuid not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (account_id, file_id) references files (account_id, id) on delete cascade
);

create index file_links_by_file on file_links (account_id, file_id);

select millrace_isolate('file_links');

create table account_exports (
  id uuid primary key,
  account_id uuid not null,
  state text not null default 'preparing' check (state in ('preparing', 'ready', 'failed')),
  failure text,
  done integer not null default 0,
  total integer not null,
  file_id uuid,
  created_at timestamptz not null,
  ended_at timestamptz
);

create index account_exports_by_account on account_exports (account_id, id desc);
-- One export of an account is made at a time.
create unique index account_exports_preparing on account_exports (account_id) where state = 'preparing';

select millrace_isolate('account_exports');
