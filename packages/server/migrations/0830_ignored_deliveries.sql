-- A request that the filter of its webhook ignores starts nothing, and is no failure.
alter table webhook_deliveries drop constraint webhook_deliveries_outcome_check;
alter table webhook_deliveries add constraint webhook_deliveries_outcome_check
  check (outcome in ('started', 'duplicate', 'refused', 'failed', 'received', 'ignored'));
