-- It was read from the payload, which fails for a payload with the character NUL: the execution or the delivery could never end.
alter table dead_letters alter column workflow_id drop expression;
