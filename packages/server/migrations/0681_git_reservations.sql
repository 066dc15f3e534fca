-- The pull or push for which a repository is reserved. It renews `busy_until`, so that the reservation ends soon after its process.
alter table git_repositories add column busy_by uuid;
