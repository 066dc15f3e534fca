-- Deliveries and mails are sent account by account in turn, so what is under way and what is due is found by account.

drop index event_deliveries_claimed;
create index event_deliveries_claimed on event_deliveries (account_id, subscription_id) where claimed_until is not null;

drop index approval_mails_due;
create index approval_mails_due on approval_mails (account_id, next_attempt_at) where next_attempt_at is not null;
