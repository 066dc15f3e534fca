-- Idempotency-Keys under which the retried execution asked for effects whose outcome is not known, by the position at which the new one asks for them.
alter table execution_retries add column keys json;
