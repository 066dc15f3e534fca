-- Whether commits name the people who made the changes as their authors. What was linked before sends no names by an upgrade.
alter table git_repositories add column authors boolean not null default false;
alter table git_repositories alter column authors set default true;
