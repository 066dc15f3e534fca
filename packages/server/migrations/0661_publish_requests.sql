-- Drafts whose authors ask those who may publish them to do so. A publication of the workflow deletes its row.
create table workflow_publish_requests (
  workflow_id uuid primary key references workflows (id),
  account_id uuid not null,
  -- Of the draft that was asked for.
  checksum text not null,
  note text check (char_length(note) <= 2000),
  requested_at timestamptz not null,
  -- kind:id of a user or an API key.
  requested_by text not null
);

create index workflow_publish_requests_by_account on workflow_publish_requests (account_id);

select millrace_isolate('workflow_publish_requests');
