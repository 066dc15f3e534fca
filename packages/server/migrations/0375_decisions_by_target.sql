-- The decisions about the data of one execution, for its receipt.
create index privacy_decisions_by_target on privacy_decisions (account_id, target) where target is not null;
