-- The keys under which the data keys of accounts are sealed, each sealed under the secret key of the installation; while that is replaced, under
-- the old one and the new one. Version 1 is the first secret key itself, and has rows only once that was replaced.
create table installation_roots (
  version smallint not null check (version > 0),
  -- Of the secret key that seals this row.
  key_fingerprint bytea not null check (octet_length(key_fingerprint) = 16),
  sealed bytea not null,
  created_at timestamptz not null,
  primary key (version, key_fingerprint)
);
