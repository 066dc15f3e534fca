-- Requests without the id of a delivery are recognized by a digest of their content, where the webhook says so.
alter table webhook_deliveries add column content_digest text;

create index webhook_deliveries_by_digest on webhook_deliveries (trigger_id, content_digest, id desc)
  where content_digest is not null and outcome = 'started';
