-- Passkeys of users, after Web Authentication Level 3.

create table passkeys (
  id uuid primary key,
  account_id uuid not null,
  user_id uuid not null,
  -- Chosen by the authenticator; base64url.
  credential_id text not null constraint passkeys_credential_unique unique,
  -- In COSE, as the authenticator gave it.
  public_key bytea not null,
  -- How often the authenticator has signed, or 0 where it does not count. A value that does not grow shows a copy.
  counter bigint not null,
  transports text[] not null,
  name text not null check (char_length(name) between 1 and 80),
  synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

create index passkeys_by_user on passkeys (account_id, user_id);

select millrace_isolate('passkeys');

-- Challenges that a passkey is asked to sign, each accepted once. Those of a sign-in belong to no user.
create table passkey_challenges (
  -- SHA-256 of the secret of the request.
  request_hash bytea primary key check (octet_length(request_hash) = 32),
  account_id uuid,
  user_id uuid,
  -- base64url
  challenge text not null,
  expires_at timestamptz not null,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

create index passkey_challenges_by_end on passkey_challenges (expires_at);
create index passkey_challenges_by_user on passkey_challenges (account_id, user_id);

select millrace_isolate('passkey_challenges');
