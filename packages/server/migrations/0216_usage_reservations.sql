-- Work that was admitted under a hard limit and is not committed yet, of all processes. An advisory lock of the account makes the order of `seq` the
-- order of the commits, so that each reservation sees all that are ahead of it.
create table usage_reservations (
  seq bigint generated always as identity primary key,
  account_id uuid not null,
  amount integer not null,
  -- A process that dies leaves its reservations until then.
  expires_at timestamptz not null
);

create index usage_reservations_by_account on usage_reservations (account_id, seq);

select millrace_isolate('usage_reservations');
