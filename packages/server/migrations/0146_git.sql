-- Repositories of Git that accounts link to keep definitions as files.

create table git_repositories (
  id uuid primary key,
  account_id uuid not null,
  url text not null,
  branch text not null,
  folder text not null,
  -- Name of a connection; null for a public repository.
  connection text,
  pull text not null check (pull in ('draft', 'publish')),
  automatic boolean not null,
  -- Of the last pull or push.
  commit_id text,
  synced_at timestamptz,
  problem text,
  conflicts text[] not null default '{}',
  -- When it is pulled and pushed next; null unless automatic.
  next_at timestamptz,
  -- While one pull or push runs, others are refused; a process that dies frees it after this time.
  busy_until timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  unique (account_id, url, branch, folder)
);

create index git_repositories_by_account on git_repositories (account_id, id desc);
create index git_repositories_due on git_repositories (next_at) where next_at is not null;

select millrace_isolate('git_repositories');

-- Which file is which workflow, and the digest of the text that both had last.
create table git_files (
  repository_id uuid not null references git_repositories (id) on delete cascade,
  account_id uuid not null,
  path text not null,
  workflow_id uuid not null,
  base_sha256 text not null,
  primary key (repository_id, path)
);

create index git_files_by_account on git_files (account_id);

select millrace_isolate('git_files');
