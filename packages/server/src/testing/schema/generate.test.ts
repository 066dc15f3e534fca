import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createEmptyTestDatabase, createTestDatabase } from '#testing/database.ts'
import { generateFrom } from './generate.ts'

test('the generated files are those of the migrations', async () => {
  await using db = await createTestDatabase()
  const generated = await generateFrom(db.url)
  const schema = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8')
  expect(generated['schema.sql'], 'Run "npm run generate".').toBe(schema)
  expect(generated['src/platform/db/rows.ts']).toContain('readonly accounts: AccountsTable')
})

test('everything that a migration can make is in schema.sql', async () => {
  await using db = await createEmptyTestDatabase()
  await sql`
    create unlogged table shapes (
      id integer generated always as identity primary key,
      name text not null default 'it''s',
      doubled integer generated always as (id * 2) stored,
      parent integer references shapes (id) on delete cascade,
      code varchar(3) unique check (code <> '')
    ) with (fillfactor = 70);
    create index shapes_name on shapes (lower(name)) where parent is null;
    create view tall as select id from shapes;
    create function answer() returns integer language sql immutable return 42;
    create function refuse() returns trigger language plpgsql as 'begin return null; end';
    create trigger shapes_refuse before delete on shapes for each row execute function refuse();
    comment on table shapes is 'All shapes.';
    comment on column shapes.name is 'What it''s called.';
    alter table shapes enable row level security;
    create policy own on shapes for select to public using (id > 0);
    grant select, insert on shapes to millrace_account`.execute(db.database.system)
  const { 'schema.sql': schema } = await generateFrom(db.url)
  for (const line of [
    'create unlogged table shapes (',
    '  id integer generated always as identity not null,',
    `  name text default 'it''s'::text not null,`,
    '  doubled integer generated always as ((id * 2)) stored,',
    '  code character varying(3),',
    '  constraint shapes_parent_fkey FOREIGN KEY (parent) REFERENCES shapes(id) ON DELETE CASCADE',
    ') with (fillfactor=70);',
    'CREATE INDEX shapes_name ON shapes USING btree (lower(name)) WHERE (parent IS NULL);',
    'create view tall as',
    'CREATE TRIGGER shapes_refuse BEFORE DELETE ON shapes FOR EACH ROW EXECUTE FUNCTION refuse();',
    `comment on table shapes is 'All shapes.';`,
    `comment on column shapes.name is 'What it''s called.';`,
    'alter table shapes enable row level security;',
    'create policy own on shapes as permissive for select to public using (id > 0);',
    'grant insert, select on shapes to millrace_account;',
  ]) {
    expect(schema).toContain(line)
  }
  expect(schema).toContain('FUNCTION public.answer()')
})

test('the order of what was made does not show', async () => {
  await using one = await createEmptyTestDatabase()
  await using other = await createEmptyTestDatabase()
  const [a, b] = [
    sql`create table a (id integer primary key, x text)`,
    sql`create table b (id integer primary key); create index b_id on b (id)`,
  ]
  await a.execute(one.database.system)
  await b.execute(one.database.system)
  await b.execute(other.database.system)
  await a.execute(other.database.system)
  expect(await generateFrom(one.url)).toEqual(await generateFrom(other.url))
})
