-- Profiles, second factors, and the secrets by which users sign in or prove an address.

alter table users add column email_verified_at timestamptz;
-- Language tags after BCP 47, and names of the IANA time zone database.
alter table users add column locale text check (char_length(locale) <= 35);
alter table users add column zone text check (char_length(zone) <= 64);
alter table users add column preferences jsonb not null default '{}';

-- Whether every user of the account needs a second factor.
alter table accounts add column requires_mfa boolean not null default false;

create table user_totp (
  user_id uuid primary key,
  account_id uuid not null,
  -- Sealed under the key of the account.
  secret bytea not null,
  -- Null until the user has proved that the authenticator works.
  confirmed_at timestamptz,
  -- The time step of the last accepted code: a code is accepted once.
  last_step bigint not null default 0,
  created_at timestamptz not null,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

select millrace_isolate('user_totp');

-- The unused recovery codes of users, as HMAC under a key that is not in the database.
create table recovery_codes (
  user_id uuid not null,
  account_id uuid not null,
  hash bytea not null check (octet_length(hash) = 32),
  created_at timestamptz not null,
  primary key (user_id, hash),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

select millrace_isolate('recovery_codes');

create table user_phones (
  user_id uuid primary key,
  account_id uuid not null,
  -- E.164. One user of the installation for each number, so that it identifies who signs in.
  number text not null constraint user_phones_number_unique unique,
  -- Whether a code by text message is asked for in addition to the password.
  second_factor boolean not null,
  verified_at timestamptz not null,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

select millrace_isolate('user_phones');

-- A sign-in that waits for a second factor. Its token is a credential for the operations that end it.
create table sign_in_challenges (
  id uuid primary key,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  account_id uuid not null,
  user_id uuid not null,
  -- enroll: the account requires a factor, and the user has none yet.
  kind text not null check (kind in ('verify', 'enroll')),
  -- The methods by which the user has proved their identity so far.
  methods text[] not null,
  -- Where the refresh token of the session goes.
  delivery text not null check (delivery in ('body', 'cookie')),
  failures smallint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

create index sign_in_challenges_by_end on sign_in_challenges (expires_at);

select millrace_isolate('sign_in_challenges');

-- One-time secrets of links in mails, as SHA-256: they are random and long.
create table mail_links (
  hash bytea primary key check (octet_length(hash) = 32),
  account_id uuid not null,
  user_id uuid not null,
  purpose text not null check (purpose in ('verify-email', 'reset-password', 'magic-link')),
  -- The address to which it was sent: the link is void when the user has another one.
  email text not null,
  -- SHA-256 of the secret of the browser that asked for the link.
  request_hash bytea check (octet_length(request_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

create index mail_links_by_user on mail_links (user_id, purpose);
create index mail_links_by_end on mail_links (expires_at);

select millrace_isolate('mail_links');

-- Codes sent to phones. A row without a user stands for a number that no user has, so that it is answered like any other.
create table phone_codes (
  -- SHA-256 of the secret of the request for which the code was sent.
  request_hash bytea primary key check (octet_length(request_hash) = 32),
  account_id uuid,
  user_id uuid,
  purpose text not null check (purpose in ('enroll', 'sign-in', 'second-factor')),
  number text not null,
  -- HMAC under a key that is not in the database.
  code_hash bytea not null check (octet_length(code_hash) = 32),
  second_factor boolean not null default false,
  failures smallint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

create index phone_codes_by_end on phone_codes (expires_at);
create index phone_codes_by_user on phone_codes (account_id, user_id);

select millrace_isolate('phone_codes');
