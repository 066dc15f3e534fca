-- Whether a test of a draft wrote the row last.
alter table data_rows add column by_test boolean not null default false;
