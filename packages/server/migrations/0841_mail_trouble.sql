-- That mails of the installation do not go out: one row from the first failed attempt until a mail is sent.
create table mail_trouble (
  id boolean primary key default true check (id),
  since timestamptz not null,
  -- Attempts that failed since then, without one that succeeded.
  failures int not null,
  reason text not null,
  failed_at timestamptz not null,
  -- When the operators were notified most recently.
  noticed_at timestamptz
);
