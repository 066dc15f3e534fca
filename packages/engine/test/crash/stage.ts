import { join } from 'node:path'
import { keepHistory } from './history.ts'
import { openLedgerService } from './ledger-service.ts'
import { openLog } from './log.ts'
import { openCrashPool } from './open-crash-engine.ts'
import { startOwnPostgres } from './own-postgres.ts'

/** What the processes of a ledger run find: a database that remembers, the ledger, and a file for what they warn of. */
export async function openStage(home: string) {
  const postgres = await startOwnPostgres(home)
  const pool = openCrashPool(postgres.url)
  await keepHistory(pool)
  return { postgres, pool, ledger: await openLedgerService(), log: openLog(join(home, 'workers.log')) }
}
