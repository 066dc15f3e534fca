-- A webhook that listens for test requests: until when, for how many more, whether they start a test of the draft, and who listens.
alter table triggers add column test_until timestamptz;
alter table triggers add column test_left integer not null default 0;
alter table triggers add column test_starts boolean not null default false;
alter table triggers add column test_by text;

alter table webhook_deliveries add column test boolean not null default false;
alter table webhook_deliveries drop constraint webhook_deliveries_outcome_check;
alter table webhook_deliveries add constraint webhook_deliveries_outcome_check
  check (outcome in ('started', 'duplicate', 'refused', 'failed', 'received'));
