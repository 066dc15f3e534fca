-- A README makes `words` long, so that it is stored apart: reading it for each entry that is looked through took seconds. Searches look at the words of
-- title, tags, category, summary and author first; they stay in the row.
alter table marketplace_entries
  drop column spelling,
  add column head tsvector generated always as (ts_filter(words, '{a,b,c}')) stored;

alter table marketplace_entries alter column head set storage main;

-- An index with many new words in its pending list is slow to read, and each rating of an entry makes some.
create index marketplace_entries_by_head on marketplace_entries using gin (head) with (gin_pending_list_limit = 256) where state = 'listed';
alter index marketplace_entries_by_words set (gin_pending_list_limit = 256);

-- The word itself, and the word without any one letter; of eight to sixteen letters, also without any two. Two words that share one of these texts are
-- candidates; the application counts their typing errors. No extension is needed.
create function marketplace_spellings(word text) returns text[]
language sql immutable strict parallel safe cost 1000
set search_path = pg_catalog, pg_temp
as $$
  with one as (
    select left(word, at - 1) || substr(word, at + 1) as text, at from generate_series(1, length(word)) as at
  ), two as (
    select left(one.text, again - 1) || substr(one.text, again + 1) as text
    from one, generate_series(one.at, length(one.text)) as again
    where length(word) between 8 and 16
  )
  select array(select word union select text from one union select text from two)
$$;

-- The words of the listed entries, by which those of a query are corrected.
create table marketplace_words (
  word text collate "C" primary key,
  -- Entries that have it.
  entries integer not null
) with (fillfactor = 80);

create index marketplace_words_by_spelling on marketplace_words using gin (marketplace_spellings(word)) with (fastupdate = off);

-- Runs as the owner of the tables: a request of an account must not read the words of others.
create function marketplace_count_words() returns trigger
language plpgsql security definer
set search_path = public, pg_temp
as $$
declare
  before tsvector[] := '{}';
  after tsvector[] := '{}';
begin
  if tg_op = 'INSERT' then
    select coalesce(array_agg(head), '{}') into after from new_rows where state = 'listed';
  elsif tg_op = 'DELETE' then
    select coalesce(array_agg(head), '{}') into before from old_rows where state = 'listed';
  else
    select coalesce(array_agg(o.head) filter (where o.state = 'listed'), '{}'), coalesce(array_agg(n.head) filter (where n.state = 'listed'), '{}')
      into before, after
      from old_rows o join new_rows n using (id) where o.head is distinct from n.head or o.state <> n.state;
  end if;
  if before = '{}' and after = '{}' then
    return null;
  end if;
  -- In the order of the words, so that two publications wait for each other and do not deadlock.
  insert into marketplace_words as w (word, entries)
    select word, sum(change) from (
      select unnest(tsvector_to_array(head)) as word, -1 as change from unnest(before) as head
      union all select unnest(tsvector_to_array(head)), 1 from unnest(after) as head
    ) as changes
    where length(word) between 3 and 32 group by word having sum(change) <> 0 order by word
    on conflict (word) do update set entries = w.entries + excluded.entries;
  delete from marketplace_words w using unnest(before) as head, unnest(tsvector_to_array(head)) as gone(word)
    where w.word = gone.word and w.entries <= 0;
  return null;
end
$$;

create trigger marketplace_count_words_inserted after insert on marketplace_entries
  referencing new table as new_rows for each statement execute function marketplace_count_words();
create trigger marketplace_count_words_updated after update on marketplace_entries
  referencing old table as old_rows new table as new_rows for each statement execute function marketplace_count_words();
create trigger marketplace_count_words_deleted after delete on marketplace_entries
  referencing old table as old_rows for each statement execute function marketplace_count_words();

revoke execute on function marketplace_count_words() from public;

insert into marketplace_words (word, entries)
  select word, count(*) from marketplace_entries, unnest(tsvector_to_array(head)) as word
  where state = 'listed' and length(word) between 3 and 32 group by word;
