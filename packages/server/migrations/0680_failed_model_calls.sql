-- Calls of models that failed are recorded too: why, and in words. Nothing was sent or returned where the digests are null.
alter table model_calls alter column prompt_digest drop not null;
alter table model_calls alter column answer_digest drop not null;
alter table model_calls drop constraint model_calls_check;
alter table model_calls add constraint model_calls_texts check (answer is null or prompt is not null);
alter table model_calls add column failure text
  constraint model_calls_failure check (failure in ('provider', 'timeout', 'unreadable', 'quota', 'privacy', 'stopped'));
alter table model_calls add column error text;
