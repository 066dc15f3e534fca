-- The call of a workflow that made an e-invoice: its repetition after a crash finds it.
alter table einvoices add column made_by_call text;
create unique index einvoices_calls on einvoices (account_id, made_by_call) where made_by_call is not null;
