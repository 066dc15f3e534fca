-- What the HTTP transport remembers between requests: answers by Idempotency-Key, and counters of the rate limits.

-- One row for each key that a caller has used within the last day.
create table idempotency_keys (
  -- SHA-256 over the caller (user, or address where there is none) and the key: the key itself seals the answer and is not kept.
  lookup bytea primary key check (octet_length(lookup) = 32),
  -- Null for operations without a credential, such as register and login.
  account_id uuid,
  operation text not null,
  -- SHA-256 over the parameters, query and body of the first request.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  -- Null while the first request runs in transactions of its own. Where it runs in the transaction that holds this row, nobody sees that.
  status smallint,
  -- The answer (content type, headers, body), sealed with AES-256-GCM: it may hold a secret that is shown only once.
  reply bytea,
  created_at timestamptz not null default now(),
  -- While status is null: until when the first request is believed to be alive.
  expires_at timestamptz not null
);

create index idempotency_keys_expires_at on idempotency_keys (expires_at);

select millrace_isolate('idempotency_keys');

-- Counters may be lost in a crash: the worst that follows is a window that begins anew.
create unlogged table rate_limit_counters (
  policy text not null,
  subject text not null,
  hits integer not null,
  ends_at timestamptz not null,
  primary key (policy, subject)
);

create index rate_limit_counters_ends_at on rate_limit_counters (ends_at);
