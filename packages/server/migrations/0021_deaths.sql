-- Deaths of processes, kept for a day: whether they die without an execution that is suspected of it.
create table process_deaths (
  id uuid primary key,
  host text not null,
  died_at timestamptz not null
);

create index process_deaths_by_time on process_deaths (died_at);

alter table executions
  -- When its process died last without its having got on since.
  add column died_at timestamptz,
  -- Whether it runs as the only suspect of its process, after a time in which no process died.
  add column on_trial boolean not null default false,
  -- How many trials in a row its process did not survive.
  add column accusations smallint not null default 0;
