-- One deleted account that fails must not keep the others waiting, and what a deleted account runs has to be cancelled although a process ends.

alter table deleted_accounts
  -- When it was cancelled or purged last, with success or not. Those that were tried longest ago come first.
  add tried_at timestamptz,
  -- When all that it ran was cancelled last.
  add cancelled_at timestamptz;
