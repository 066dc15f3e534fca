-- Retention looks up retries by either execution: what is known of a retry stays for as long as one of both.
create index execution_retries_by_execution on execution_retries (execution_id);
