-- Data keys of accounts, and the outbox of development.

-- The key under which the secrets of one account are sealed, itself sealed under a key of the installation. Without the row nothing
-- that it sealed can be read any more, in backups of the other tables neither. Without a foreign key: a deleted account is purged later.
create table account_keys (
  account_id uuid primary key,
  -- Which key of the installation seals it.
  sealed_by smallint not null,
  sealed bytea not null,
  created_at timestamptz not null default now()
);

select millrace_isolate('account_keys', privileges => 'select, insert, delete');

-- Mails and text messages of an installation without a mail server, for GET /dev/outbox. Rows are deleted after a day.
create table dev_outbox (
  id text primary key,
  channel text not null check (channel in ('mail', 'sms')),
  recipient text not null,
  subject text not null,
  text text not null,
  html text,
  created_at timestamptz not null
);

create index dev_outbox_created_at on dev_outbox (created_at desc);
