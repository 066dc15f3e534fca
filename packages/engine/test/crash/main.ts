import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { guaranteedLimits } from './invariants.ts'
import { runLedger } from './ledger-run.ts'
import { reportOf } from './report.ts'

// npm run ledger -- [executions] [kills] [seed] [--records FILE]
const { values: flags, positionals } = parseArgs({ options: { records: { type: 'string' } }, allowPositionals: true })
const [executions = 10_000, kills = 500, seed = Date.now() % 1_000_000] = positionals.map(Number)
const home = await mkdtemp(join(tmpdir(), 'millrace-ledger-'))
const beganAtMs = Date.now()
const say = (what: string) => console.log(`${String(Math.round((Date.now() - beganAtMs) / 1_000)).padStart(5)} s  ${what}`)

say(`${executions} executions, ${kills} kills, seed ${seed}; the database is in ${home}`)
const result = await runLedger({
  executions,
  kills,
  restarts: Math.max(1, Math.round(kills / 25)),
  cuts: Math.max(1, Math.round(kills / 25)),
  seed,
  processes: 3,
  concurrency: 60,
  limits: guaranteedLimits,
  home,
  say,
  recordsFile: flags.records,
})
console.log(`\n${reportOf(result)}\n`)
if (result.broken.length === 0) {
  await rm(home, { recursive: true, force: true })
  console.log('No execution was lost, and no effect was performed twice.')
} else {
  for (const what of result.broken.slice(0, 100)) console.log(what)
  console.log(`${result.broken.length} violations of invariants. The database is in ${home}, the seed ${seed}.`)
  process.exitCode = 1
}
