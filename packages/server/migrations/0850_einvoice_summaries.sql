-- What lists show of an e-invoice: kind, parties, totals and findings. Null in documents made before: it is read from their XML.
alter table einvoices add column summary jsonb;
