-- Whether a failed request to a webhook repeats another one: the same id, or without an id the same content.
create index webhook_deliveries_failed on webhook_deliveries (trigger_id, coalesce(delivery_id, content_digest), at) where outcome = 'failed' and not test;
