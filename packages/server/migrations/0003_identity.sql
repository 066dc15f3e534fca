-- Users, their passwords and sessions, and the keys that sign access tokens.

create table users (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  -- Normalised by the application, so that equal addresses are equal text. One user of the installation for each.
  email text not null constraint users_email_unique unique check (char_length(email) between 3 and 320),
  name text check (char_length(name) between 1 and 200),
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  is_operator boolean not null default false,
  created_at timestamptz not null,
  -- Sessions and keys reference both columns, so that none can name a user of another account; also the list of an account.
  unique (account_id, id)
);

select millrace_isolate('users');

-- Apart from users, so that the account's role can set a hash and never read one: select is granted on the other columns only.
create table user_passwords (
  user_id uuid primary key,
  account_id uuid not null,
  -- Argon2id with its parameters, in PHC string format.
  hash text not null,
  changed_at timestamptz not null,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

create index user_passwords_account on user_passwords (account_id, user_id);

select millrace_isolate('user_passwords', privileges => 'insert, update, delete');
grant select (user_id, account_id, changed_at) on user_passwords to millrace_account;

-- A session is one family of refresh tokens: the current token, and for a short time its predecessor.
create table sessions (
  id uuid primary key,
  account_id uuid not null,
  user_id uuid not null,
  device text,
  ip inet,
  created_at timestamptz not null,
  -- To the minute for access tokens, exact for refreshes.
  last_used_at timestamptz not null,
  -- The absolute limit. The idle limit is counted from last_used_at.
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_because text check (revoked_because in ('signed_out', 'revoked', 'token_reused')),
  -- How often the refresh token was rotated; every token names its generation.
  generation integer not null default 0,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  previous_hash bytea check (octet_length(previous_hash) = 32),
  rotated_at timestamptz,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade,
  check ((revoked_at is null) = (revoked_because is null))
);

-- The list of a user, newest first (ids are UUIDv7).
create index sessions_by_user on sessions (account_id, user_id, id desc);
-- Whether a user has signed in from an address before. Read at every sign-in, where the time of a scan would reveal who has many sessions.
create index sessions_by_address on sessions (user_id, ip);
create index sessions_by_end on sessions (expires_at);

select millrace_isolate('sessions');

-- Failed sign-ins by address and by account. Subjects are digests: the table does not reveal who tried.
create table login_throttles (
  subject text primary key,
  failures integer not null,
  blocked_until timestamptz not null,
  failed_at timestamptz not null
);

create index login_throttles_failed_at on login_throttles (failed_at);

-- The one-time codes that make a user the operator, as printed at each start of an installation that has none.
create table operator_codes (
  hash bytea primary key check (octet_length(hash) = 32),
  created_at timestamptz not null
);

-- Ed25519 keys of access tokens. A key is published before it signs, and verifies until the last token that it signed has expired.
create table signing_keys (
  kid text primary key,
  -- The member x of the public JWK.
  public_key text not null,
  -- PKCS #8, sealed with AES-256-GCM under a key that is not in the database.
  private_key bytea not null,
  signs_from timestamptz not null,
  signs_until timestamptz not null,
  verifies_until timestamptz not null,
  check (signs_from < signs_until and signs_until < verifies_until)
);
