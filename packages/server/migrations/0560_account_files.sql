-- Files that accounts keep have no end unless they are given one.
alter table files alter column expires_at drop not null;

-- Files of accounts by their names. The content is a row of files; a new content is another row.
create table account_files (
  id uuid primary key,
  account_id uuid not null,
  -- In bytewise order, so that a prefix is a range of the index.
  name text collate "C" not null,
  file_id uuid not null,
  media text not null,
  bytes bigint not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  -- kind:id of a user, an API key or an execution.
  written_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  unique (account_id, name),
  foreign key (account_id, file_id) references files (account_id, id) on delete cascade
);

create index account_files_by_file on account_files (account_id, file_id);

select millrace_isolate('account_files');
