-- What executions are about, by which people find them: values that their definitions take from the input at the start. Written with the
-- execution, and only for workflows that declare labels. A table of its own and not a column of `executions`: its indexes are of one account
-- and ordered by time, so that a page of a filter reads as many rows as it has, which an inverted index of a column cannot do.
create table execution_labels (
  execution_id uuid not null,
  account_id uuid not null,
  -- Its place in the definition.
  number smallint not null,
  name text not null,
  -- Null where there is a problem.
  value text,
  -- Why the expression of the label gave no value.
  problem text,
  primary key (execution_id, number),
  check ((value is null) <> (problem is null))
);

-- The executions with a value, newest first. The value comes before the name, so that a search that has only a value finds the names.
create index execution_labels_by_value on execution_labels (account_id, value, name, execution_id desc);

select millrace_isolate('execution_labels', privileges => 'select');
