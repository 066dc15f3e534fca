-- Public forms, and assessments of digital readiness.

-- Requests of people who are no users: of the installation, not of an account.
create table leads (
  id uuid primary key,
  kind text not null check (kind in ('contact', 'sales', 'demo', 'newsletter')),
  state text not null check (state in ('received', 'pending', 'confirmed', 'unsubscribed')),
  -- In lower case.
  email text not null,
  name text,
  company text,
  phone text,
  locale text not null check (locale in ('en', 'ar')),
  details jsonb not null,
  messages jsonb not null,
  submissions integer not null default 1,
  consent_at timestamptz not null,
  consent_text text not null,
  consent_ip text not null,
  consent_user_agent text,
  -- Of a newsletter: when a mail with a link was sent most recently.
  mailed_at timestamptz,
  confirmed_at timestamptz,
  unsubscribed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((kind = 'newsletter') = (state <> 'received'))
);

create unique index leads_newsletter on leads (email) where kind = 'newsletter';
create index leads_by_sender on leads (email, kind, created_at desc);
create index leads_created_at on leads (created_at);

-- Challenges of proofs of work that were used; a row is deleted when its challenge has expired anyway.
create table form_proofs (
  id text primary key,
  expires_at timestamptz not null
);

create index form_proofs_expires_at on form_proofs (expires_at);

create table readiness_assessments (
  id uuid primary key,
  account_id uuid not null,
  user_id uuid not null,
  version text not null,
  score smallint not null check (score between 0 and 100),
  -- By the id of the question.
  answers jsonb not null,
  created_at timestamptz not null
);

create index readiness_assessments_by_user on readiness_assessments (account_id, user_id, id desc);

select millrace_isolate('readiness_assessments');
