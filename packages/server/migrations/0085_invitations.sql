-- Invitations to join an account.

create table invitations (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  -- Normalised like users.email.
  email text not null check (char_length(email) between 3 and 320),
  role text not null check (role in ('viewer', 'member', 'admin')),
  -- SHA-256 of the token.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  -- Whether the token went to the address only, so that its use confirms the address.
  mailed boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint invitations_email_unique unique (account_id, email)
);

create index invitations_by_end on invitations (expires_at);

select millrace_isolate('invitations');
