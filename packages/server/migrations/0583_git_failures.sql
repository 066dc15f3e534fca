-- Pulls and pushes that failed in a row: an automatic one is repeated less and less often.

alter table git_repositories add failures integer not null default 0;
