import { createRetention } from '#postgres/storage/retention/retention.ts'
import { enginePool } from './database.ts'
import { Kysely, PostgresDialect } from 'kysely'
import { day } from './stored-executions.ts'

/** One pass of retention in a process of its own, to be killed: `retention-pass.ts URL NOW WORKFLOW`; the workflow keeps executions for one day. */
const [url = '', now = '', workflow = ''] = process.argv.slice(2)
const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: enginePool(url) }) })
await createRetention({ db, now: () => Number(now), retentionMs: 30 * day, readPeriods: async () => new Map([[workflow, day]]) }).pass()
