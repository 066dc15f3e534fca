-- The renewal of tokens of OAuth: the request is made outside of a transaction, by the process that has written renewal_until.
alter table connections
  -- Changes when tokens are replaced or removed: a reply to an older request is not kept.
  add column token_version integer not null default 0,
  -- Until then a process requests tokens; it may die before it ends.
  add column renewal_until timestamptz,
  add column renewal_failures integer not null default 0,
  -- After a failure no process asks before this time.
  add column renewal_after timestamptz,
  add column renewal_problem text;
