import { createRetention } from '#modules/executions/index.ts'
import { createDatabase, databaseDefaults } from '#platform/db/database.ts'

/** One pass of retention in a process of its own, to be killed: `retention-pass.ts URL NOW`. */
const [url = '', now = ''] = process.argv.slice(2)
const { system } = createDatabase({ ...databaseDefaults, url })
await createRetention({ db: system, now: () => Number(now), retentionMs: 30 * 86_400_000 }).pass()
