-- What a version takes from elsewhere (functions, schemas, scripts), fetched when it was published and never again: by address, with the kind, a digest and the
-- content. A version means the same for as long as it is kept.
alter table workflow_versions add column resources json not null default '{}';
