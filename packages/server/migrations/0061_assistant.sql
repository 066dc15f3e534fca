-- Conversations with the assistant, and what it proposes. All of it belongs to one user.
create table assistant_conversations (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  title text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index assistant_conversations_by_user on assistant_conversations (account_id, user_id, id desc);

select millrace_isolate('assistant_conversations');

create table assistant_messages (
  id uuid primary key,
  account_id uuid not null,
  conversation_id uuid not null references assistant_conversations (id) on delete cascade,
  user_id uuid not null,
  role text not null check (role in ('user', 'assistant')),
  text text not null,
  proposals uuid[] not null default '{}',
  drafts uuid[] not null default '{}',
  created_at timestamptz not null
);

create index assistant_messages_by_conversation on assistant_messages (conversation_id, id desc);
create index assistant_messages_by_user on assistant_messages (account_id, user_id, id desc);

select millrace_isolate('assistant_messages');

create table assistant_proposals (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  -- Only this user can confirm it.
  user_id uuid not null references users (id) on delete cascade,
  conversation_id uuid,
  kind text not null,
  summary text not null,
  -- JSON as it was shown, byte for byte, with the SHA-256 of its bytes.
  action text not null,
  digest text not null,
  state text not null check (state in ('pending', 'confirmed', 'done', 'failed', 'rejected')),
  result jsonb,
  reason text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz
);

create index assistant_proposals_by_user on assistant_proposals (account_id, user_id, id desc);

select millrace_isolate('assistant_proposals');

create table assistant_email_drafts (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  conversation_id uuid,
  recipients text[] not null,
  subject text not null,
  body text not null,
  digest text not null,
  state text not null check (state in ('draft', 'sent', 'rejected')),
  reason text,
  created_at timestamptz not null,
  decided_at timestamptz
);

create index assistant_email_drafts_by_user on assistant_email_drafts (account_id, user_id, id desc);

select millrace_isolate('assistant_email_drafts');
