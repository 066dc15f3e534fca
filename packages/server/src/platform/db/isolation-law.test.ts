import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'

interface IsolatedTable {
  readonly name: string
  readonly enabled: boolean
  readonly policies: readonly string[]
  readonly conditions: readonly string[]
}

test('every table with an account_id is bound to the account of the transaction, by one policy for everything', async () => {
  await using db = await createTestDatabase()
  const { rows } = await sql<IsolatedTable>`
    select c.relname as name, c.relrowsecurity as enabled,
      coalesce(array_agg(p.polcmd::text || case when p.polpermissive then '' else ' restrictive' end) filter (where p.oid is not null), '{}') as policies,
      coalesce(array_agg(distinct x.condition) filter (where x.condition is not null), '{}') as conditions
    from pg_class c
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
      left join pg_policy p on p.polrelid = c.oid
      left join lateral (values (pg_get_expr(p.polqual, c.oid)), (pg_get_expr(p.polwithcheck, c.oid))) x (condition) on true
    -- A partition is accessed through its table, whose policy then applies; direct access is refused (the next test).
    where c.relkind in ('r', 'p') and not c.relispartition
    group by c.oid order by c.relname`.execute(db.database.system)
  expect(rows.length).toBeGreaterThan(5)
  const condition = `(account_id = (current_setting('millrace.account_id'::text))::uuid)`
  for (const row of rows) {
    expect(row, row.name).toMatchObject({ enabled: true, conditions: [condition] })
    expect(new Set(row.policies), row.name).toEqual(new Set(['*']))
  }
})

test('the account role may do nothing on a table that is not bound to an account', async () => {
  await using db = await createTestDatabase()
  const { rows } = await sql<{ readonly name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    where c.relkind in ('r', 'p', 'v', 'm') and not c.relrowsecurity
      and (has_table_privilege('millrace_account', c.oid, 'select') or has_table_privilege('millrace_account', c.oid, 'insert')
        or has_table_privilege('millrace_account', c.oid, 'update') or has_table_privilege('millrace_account', c.oid, 'delete'))`.execute(
    db.database.system,
  )
  expect(rows).toEqual([])
})

test('the account role owns nothing, cannot log in and passes no policy by', async () => {
  await using db = await createTestDatabase()
  const { rows } = await sql`
    select rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, (select count(*) from pg_class where relowner = r.oid) as owned
    from pg_roles r where rolname = 'millrace_account'`.execute(db.database.system)
  expect(rows).toEqual([{ rolcanlogin: false, rolsuper: false, rolbypassrls: false, rolcreaterole: false, owned: 0 }])
})
