-- Accounts take turns when their triggers start workflows: the oldest firings of each are one range.
create index trigger_firings_of_account on trigger_firings (account_id, ready_at);
drop index trigger_firings_ready;
