-- A claim belongs to one request: one that was presumed dead neither stores its response for nor releases the claim of its successor.
alter table idempotency_keys add column claim_id uuid;
