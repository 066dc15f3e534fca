import { join } from 'node:path'
import { keepHistory } from './history.ts'
import { openLedgerService } from './ledger-service.ts'
import { openLog } from './log.ts'
import { openCrashPool } from './open-crash-engine.ts'
import { startRunPostgres } from './start-run-postgres.ts'

/** The environment of the processes of a ledger run: a database with its history, the ledger, and a log file for warnings. */
export async function openLedgerEnvironment(home: string) {
  const postgres = await startRunPostgres(home)
  const pool = openCrashPool(postgres.url)
  await keepHistory(pool)
  return { postgres, pool, ledger: await openLedgerService(), log: openLog(join(home, 'workers.log')) }
}
