-- E-invoices: a chain of documents for each account, and its development key.

create table einvoices (
  id uuid primary key,
  account_id uuid not null,
  -- Without gaps in the account, from 1.
  counter integer not null check (counter > 0),
  number text not null,
  -- SHA-256 of the canonical document without signature and QR code, in base64.
  hash text not null,
  -- Of the document before it.
  previous_hash text not null,
  xml text not null,
  qr_fields jsonb not null,
  created_at timestamptz not null,
  unique (account_id, counter)
);

-- The end of each chain.
create table einvoice_chains (
  account_id uuid primary key,
  counter integer not null,
  hash text not null
);

create table einvoice_keys (
  account_id uuid primary key,
  -- The private key, sealed under the key of the account.
  sealed bytea not null,
  -- X.509, DER.
  certificate bytea not null,
  created_at timestamptz not null
);

select millrace_isolate('einvoices');
select millrace_isolate('einvoice_chains');
select millrace_isolate('einvoice_keys');
