-- A fingerprint of the secret key, so that a process with another key refuses to start. One row.
create table installation_key (
  id boolean primary key default true check (id),
  fingerprint bytea not null check (octet_length(fingerprint) = 16),
  recorded_at timestamptz not null
);
