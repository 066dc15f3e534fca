-- Reports about persons: ZIP files with the records that contain values of a person, made in the background (docs/privacy.md).
create table privacy_reports (
  id uuid primary key,
  account_id uuid not null,
  state text not null default 'preparing' check (state in ('preparing', 'ready', 'failed')),
  -- The values of the person, until the report is made.
  sealed bytea,
  given smallint not null,
  note text,
  locale text not null check (locale in ('en', 'ar')),
  -- Whether the records of the installation are searched too.
  includes_forms boolean not null,
  failure text,
  -- Categories with the data and how many records they have; null until they were counted.
  found jsonb,
  -- Files to look into, which are not in the report.
  review jsonb not null default '[]',
  done integer not null default 0,
  file_id uuid,
  bytes bigint,
  sha256 text,
  created_at timestamptz not null,
  created_by text not null,
  ended_at timestamptz,
  expires_at timestamptz not null,
  check ((state = 'preparing') = (sealed is not null)),
  check ((state = 'preparing') = (ended_at is null))
);

create index privacy_reports_by_account on privacy_reports (account_id, id desc);
create index privacy_reports_preparing on privacy_reports (created_at) where state = 'preparing';

select millrace_isolate('privacy_reports');
