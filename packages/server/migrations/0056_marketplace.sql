-- Workflows that accounts publish for everyone. Requests of an account write only rows of that account. What is public is read by the
-- system's connections, with `state = 'listed'` in every query.

create table marketplace_entries (
  id uuid primary key,
  -- The account that published it.
  account_id uuid not null,
  workflow_id uuid not null,
  title text not null,
  summary text not null,
  author text not null,
  category text not null,
  tags text[] not null,
  licence text not null,
  -- Number of the latest version.
  version integer not null,
  state text not null check (state in ('listed', 'withdrawn', 'removed')),
  -- Why an operator removed it.
  reason text,
  -- Kept by the triggers below.
  rating_sum integer not null default 0,
  rating_count integer not null default 0,
  import_count integer not null default 0,
  -- The mean of the ratings with five imagined ones of 3.5 stars, so that one rating decides little; and imports, with falling weight.
  popularity double precision not null generated always as (
    (rating_sum + 17.5) / (rating_count + 5) * ln(import_count + rating_count + 3)
  ) stored,
  -- Texts without accents, in lower case.
  words tsvector not null,
  -- Title and tags, for search with typing errors.
  spelling text not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null
);

create unique index marketplace_entries_by_workflow on marketplace_entries (account_id, workflow_id);
create index marketplace_entries_by_popularity on marketplace_entries (popularity desc, id desc) where state = 'listed';
create index marketplace_entries_by_time on marketplace_entries (id desc) where state = 'listed';
create index marketplace_entries_by_category on marketplace_entries (category, popularity desc, id desc) where state = 'listed';
create index marketplace_entries_by_words on marketplace_entries using gin (words) where state = 'listed';
create index marketplace_entries_by_tag on marketplace_entries using gin (tags) where state = 'listed';

select millrace_isolate('marketplace_entries');

-- The owner of an ordinary database may create trusted extensions, unless the package is not installed or the operator forbade it.
do $$
begin
  create extension if not exists pg_trgm with schema public;
  create index marketplace_entries_by_spelling on marketplace_entries using gin (spelling gin_trgm_ops) where state = 'listed';
exception when others then
  raise notice 'pg_trgm is not available: the search of the marketplace forgives no typing errors';
end
$$;

-- Every version is immutable.
create table marketplace_versions (
  entry_id uuid not null references marketplace_entries (id) on delete cascade,
  number integer not null,
  account_id uuid not null,
  -- Canonical JSON; `json` keeps the order of keys.
  definition json not null,
  source text not null,
  checksum text not null,
  readme text not null,
  drawing text not null,
  notes text not null,
  parameters json not null,
  permissions json not null,
  created_at timestamptz not null,
  primary key (entry_id, number)
);

select millrace_isolate('marketplace_versions', privileges => 'select, insert');

create table marketplace_ratings (
  entry_id uuid not null references marketplace_entries (id) on delete cascade,
  -- The account that rates.
  account_id uuid not null,
  stars smallint not null check (stars between 1 and 5),
  rated_at timestamptz not null,
  rated_by text not null,
  primary key (entry_id, account_id)
);

create index marketplace_ratings_by_account on marketplace_ratings (account_id);

select millrace_isolate('marketplace_ratings');

create table marketplace_reports (
  id uuid primary key,
  entry_id uuid not null references marketplace_entries (id) on delete cascade,
  -- The account that reports; operators do not see it in the list.
  account_id uuid not null,
  reason text not null,
  detail text not null,
  created_at timestamptz not null,
  created_by text not null
);

create unique index marketplace_reports_by_entry on marketplace_reports (entry_id, account_id);
create index marketplace_reports_by_account on marketplace_reports (account_id);

select millrace_isolate('marketplace_reports');

-- The accounts that imported an entry, for its counter.
create table marketplace_imports (
  entry_id uuid not null references marketplace_entries (id) on delete cascade,
  account_id uuid not null,
  imported_at timestamptz not null,
  primary key (entry_id, account_id)
);

create index marketplace_imports_by_account on marketplace_imports (account_id);

select millrace_isolate('marketplace_imports');

-- The counters are in a row of another account, which a request cannot write: these functions run as the owner of the tables.
create function marketplace_count_rating() returns trigger
language plpgsql security definer
set search_path = public, pg_temp
as $$
begin
  if tg_op <> 'INSERT' then
    update marketplace_entries set rating_sum = rating_sum - old.stars, rating_count = rating_count - 1 where id = old.entry_id;
  end if;
  if tg_op <> 'DELETE' then
    update marketplace_entries set rating_sum = rating_sum + new.stars, rating_count = rating_count + 1 where id = new.entry_id;
  end if;
  return null;
end
$$;

create trigger marketplace_count_rating after insert or update or delete on marketplace_ratings
  for each row execute function marketplace_count_rating();

create function marketplace_count_import() returns trigger
language plpgsql security definer
set search_path = public, pg_temp
as $$
begin
  update marketplace_entries set import_count = import_count + 1 where id = new.entry_id;
  return null;
end
$$;

create trigger marketplace_count_import after insert on marketplace_imports
  for each row execute function marketplace_count_import();

revoke execute on function marketplace_count_rating(), marketplace_count_import() from public;
