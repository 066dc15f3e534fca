-- The title of a workflow's draft, by which people find it when the workflow has another name.
alter table workflows add column document_title text generated always as (definition #>> '{document,title}') stored;
