-- What is made of each execution of a pack, until the file is complete: a killed process continues after the last one.
create table evidence_pack_parts (
  pack_id uuid not null,
  execution_id uuid not null,
  account_id uuid not null,
  -- JSON.
  content text not null,
  primary key (pack_id, execution_id),
  foreign key (account_id, pack_id) references evidence_packs (account_id, id) on delete cascade
);

select millrace_isolate('evidence_pack_parts');
