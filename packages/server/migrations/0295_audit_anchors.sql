-- Checkpoints of all logs are collected in one log of the installation, the anchor log: each leaf states the root of a tree over the newest
-- checkpoints. So one time stamp and one co-signature of a witness cover all accounts.

create table audit_anchors (
  index integer primary key,
  made_at timestamptz not null,
  -- How many checkpoints the leaf covers, and the root of their tree.
  batch_size integer not null,
  batch_root bytea not null,
  hash bytea not null,
  -- A signed note (C2SP tlog-checkpoint) of the anchor log up to this leaf.
  note text not null
);

create table audit_anchored (
  account_id uuid not null,
  day date not null,
  size integer not null,
  anchor integer not null references audit_anchors (index),
  place integer not null,
  -- Of the checkpoint, as a leaf of the tree of its batch.
  hash bytea not null,
  primary key (account_id, day, size),
  unique (anchor, place)
);

-- What others state about the anchor log: a time stamp (RFC 3161), or a line with the co-signature of a witness.
create table audit_attestations (
  anchor integer not null references audit_anchors (index),
  -- `time-stamp`, or the name of a witness.
  source text not null,
  statement text not null,
  made_at timestamptz not null,
  primary key (anchor, source)
);

create index audit_checkpoints_by_time on audit_checkpoints (made_at);

select millrace_isolate('audit_anchored', privileges => 'select');

create trigger audit_anchors_append_only before update or delete on audit_anchors for each row execute function audit_log_refuse_change();
create trigger audit_anchors_no_truncate before truncate on audit_anchors for each statement execute function audit_log_refuse_change();
create trigger audit_anchored_append_only before update or delete on audit_anchored for each row execute function audit_log_refuse_change();
create trigger audit_anchored_no_truncate before truncate on audit_anchored for each statement execute function audit_log_refuse_change();
create trigger audit_attestations_append_only before update or delete on audit_attestations for each row execute function audit_log_refuse_change();
create trigger audit_attestations_no_truncate before truncate on audit_attestations for each statement execute function audit_log_refuse_change();
