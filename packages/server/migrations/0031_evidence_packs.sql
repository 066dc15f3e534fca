-- Evidence packs: ZIP files of receipts, journals, definitions and audit logs, made in the background (docs/evidence.md).

create table evidence_packs (
  id uuid primary key,
  account_id uuid not null,
  -- SHA-256 of the selection: the same request finds the same pack.
  selection_hash bytea not null check (octet_length(selection_hash) = 32),
  selection jsonb not null,
  state text not null default 'preparing' check (state in ('preparing', 'ready', 'failed')),
  failure text,
  -- Executions that are in the file so far, and all of the selection once they are known.
  done integer not null default 0,
  total integer,
  -- Of the finished file.
  bytes bigint,
  sha256 bytea,
  created_at timestamptz not null,
  ended_at timestamptz,
  unique (account_id, id)
);

create unique index evidence_packs_by_selection on evidence_packs (account_id, selection_hash);
create index evidence_packs_by_age on evidence_packs (created_at);

select millrace_isolate('evidence_packs');

create table evidence_pack_chunks (
  pack_id uuid not null,
  index integer not null,
  account_id uuid not null,
  bytes bytea not null,
  primary key (pack_id, index),
  foreign key (account_id, pack_id) references evidence_packs (account_id, id) on delete cascade
);

-- The bytes are compressed already.
alter table evidence_pack_chunks alter column bytes set storage external;

select millrace_isolate('evidence_pack_chunks');

-- Links, each for one download.
create table evidence_pack_links (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  account_id uuid not null,
  pack_id uuid not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (account_id, pack_id) references evidence_packs (account_id, id) on delete cascade
);

create index evidence_pack_links_by_pack on evidence_pack_links (account_id, pack_id);

select millrace_isolate('evidence_pack_links');
