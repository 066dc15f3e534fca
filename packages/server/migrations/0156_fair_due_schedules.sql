-- Accounts take turns when more schedules are due than one batch takes: the next due times of each account are one range.
create index triggers_due_of_account on triggers (account_id, next_at) where next_at is not null;
