import { durationMs } from '@millrace/dsl'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { createTestDatabase } from '#testing/database.ts'
import { addWorkflow, day, idAt } from '#testing/executions.ts'
import { readPolicyRetention } from '#modules/privacy/index.ts'
import { readRetentionPeriods } from './retention.ts'

test('the retention of executions is that of the definition, or else of the account, or else of the installation', async () => {
  await using db = await createTestDatabase()
  const { system } = db.database
  const account = await addAccount(system, 5 * day)
  const own = await addWorkflow(system, { account, retention: 'P50D' })
  const ofAccount = await addWorkflow(system, { account })
  const ofForever = await addWorkflow(system, { account: await addAccount(system, undefined) })
  await addWorkflow(system, {})
  const unreadable = await addWorkflow(system, { account, retention: 'a fortnight' })
  const none = { accounts: [], limitOf: () => undefined }
  expect(await readRetentionPeriods({ db: system, retentionMs: 30 * day, limits: none })).toEqual(
    new Map([
      [own, 50 * day],
      [ofAccount, 5 * day],
      [ofForever, undefined],
      [unreadable, 5 * day],
    ]),
  )
})

test('a privacy policy limits the retention of its workflow, or of those of the account without a policy for the same point', async () => {
  await using db = await createTestDatabase()
  const { system } = db.database
  const account = await addAccount(system, undefined)
  const other = await addAccount(system, 5 * day)
  const long = await addWorkflow(system, { account, retention: 'P50D' })
  const forever = await addWorkflow(system, { account })
  const exempt = await addWorkflow(system, { account })
  const shortest = await addWorkflow(system, { account })
  const shorter = await addWorkflow(system, { account: other })
  const ofInstallation = await addWorkflow(system, {})
  const unlimited = await addWorkflow(system, {})
  await addPolicy(system, { account, point: 'input', retention: 'P7D' })
  await addPolicy(system, { account, workflow: exempt, point: 'input', retention: 'P10Y' })
  await addPolicy(system, { account, workflow: shortest, point: 'journal', retention: 'P2D' })
  await addPolicy(system, { account, workflow: shortest, point: 'output' })
  await addPolicy(system, { account, workflow: forever, point: 'output', retention: 'P1D', enabled: false })
  await addPolicy(system, { account: other, point: 'input', retention: 'P1M' })
  const { rows } = await sql<{ id: string; account: string }>`
    select id, account_id as account from workflows where id in (${ofInstallation}, ${unlimited})`.execute(system)
  for (const { id, account: owner } of rows)
    await addPolicy(system, { account: owner, workflow: id, point: 'input', retention: id === ofInstallation ? 'P3D' : 'P90D' })
  const limits = await readPolicyRetention(system)
  expect(await readRetentionPeriods({ db: system, retentionMs: 30 * day, limits })).toEqual(
    new Map([
      [long, 7 * day],
      [forever, 7 * day],
      [exempt, durationMs('P10Y')],
      [shortest, 2 * day],
      [shorter, 5 * day],
      [ofInstallation, 3 * day],
    ]),
  )
})

interface PolicyOptions {
  readonly account: string
  readonly workflow?: string
  readonly point: string
  readonly retention?: string
  readonly enabled?: boolean
}

async function addPolicy(db: Kysely<Rows>, { account, workflow, point, retention, enabled = true }: PolicyOptions): Promise<void> {
  await sql`
    insert into privacy_policies (id, account_id, workflow_id, point, action, kinds, min_score, purpose, legal_basis, retention, enabled, updated_at, updated_by)
    values (${idAt(Date.now())}, ${account}, ${workflow ?? null}, ${point}, 'detect', '{}', 0.6, 'orders', 'contract', ${retention ?? null}, ${enabled}, now(), 'user:a')`.execute(
    db,
  )
}

async function addAccount(db: Kysely<Rows>, ms: number | undefined): Promise<string> {
  const id = idAt(Date.now())
  await sql`insert into accounts (id, name) values (${id}, 'A')`.execute(db)
  await sql`insert into account_retention (account_id, milliseconds) values (${id}, ${ms ?? null})`.execute(db)
  return id
}
