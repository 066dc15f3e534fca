-- Provisioning by SCIM 2.0 (RFC 7643, RFC 7644): the settings of accounts, what a directory knows of users, and its groups.

-- A user whom the directory has deactivated opens no session.
alter table users add column deactivated_at timestamptz;

create table scim_settings (
  account_id uuid primary key references accounts (id) on delete cascade,
  -- SHA-256 of the token of the directory; null until one is issued.
  token_hash bytea unique check (octet_length(token_hash) = 32),
  token_created_at timestamptz,
  token_used_at timestamptz,
  default_role text not null check (default_role in ('viewer', 'member', 'admin')),
  -- Role by the name of a group.
  roles jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((token_hash is null) = (token_created_at is null))
);

select millrace_isolate('scim_settings');

-- What the directory has set of a user beyond the columns of `users`.
create table scim_users (
  user_id uuid primary key,
  account_id uuid not null,
  external_id text check (char_length(external_id) between 1 and 256),
  given_name text check (char_length(given_name) <= 200),
  family_name text check (char_length(family_name) <= 200),
  updated_at timestamptz not null,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade,
  constraint scim_users_external_unique unique (account_id, external_id)
);

select millrace_isolate('scim_users');

create table scim_groups (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  display_name text not null check (char_length(display_name) between 1 and 256),
  external_id text check (char_length(external_id) between 1 and 256),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (account_id, id),
  constraint scim_groups_name_unique unique (account_id, display_name)
);

select millrace_isolate('scim_groups');

create table scim_members (
  account_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  primary key (group_id, user_id),
  foreign key (account_id, group_id) references scim_groups (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

create index scim_members_by_group on scim_members (account_id, group_id);
create index scim_members_by_user on scim_members (account_id, user_id);

select millrace_isolate('scim_members');
