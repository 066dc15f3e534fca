import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startRunPostgres } from './start-run-postgres.ts'
import { runSlowCalls } from './slow-calls.ts'

// npm run ledger:slow -- [executions] [kills] [seed]
const [executions = 20, kills = 24, seed = 1] = process.argv.slice(2).map(Number)
const home = await mkdtemp(join(tmpdir(), 'millrace-slow-'))
const beganAtMs = Date.now()
const say = (what: string) => console.log(`${String(Math.round((Date.now() - beganAtMs) / 1_000)).padStart(5)} s  ${what}`)

say(`${executions} executions in calls of 2 to 8 s, processes killed after 5 s each, ${kills} kills, seed ${seed}`)
const postgres = await startRunPostgres(home)
const { ends, deathsMost, effects, requests, killer } = await runSlowCalls({
  url: postgres.url,
  executions,
  callsMs: [2_000, 4_000, 6_000, 8_000],
  processes: 3,
  kills,
  killEveryMs: 5_000,
  freezeMs: 15_000,
  trialMs: 15_000,
  seed,
  settleMsMax: 15 * 60_000,
  async meanwhile() {
    for (const stop of ['fast', 'immediate'] as const) {
      await pause(20_000)
      await postgres.restart(stop)
      say(`PostgreSQL was restarted (${stop})`)
    }
  },
  say,
})
await postgres.close()
const ended = [...ends].map(([end, count]) => `${count} ${end}`).join(', ')
console.log(`
| quantity | value |
|---|---|
| duration | ${Math.round((Date.now() - beganAtMs) / 1_000)} s |
| executions killed from outside ended as | ${ended} |
| deaths of the processes of one of them in a row | at most ${deathsMost} |
| effects, and requests for them | ${effects}, ${requests} |
| the execution that makes its process exit ended as | ${killer.end}, after ${killer.exits} exits |
`)
if (ended === `${executions} completed` && effects === 2 * executions && killer.end === 'faulted Dead letter') {
  await rm(home, { recursive: true, force: true })
  console.log('All executions completed, and the one that exits its process is a dead letter.')
} else {
  console.log(`The result is not the expected one. The database is in ${home}.`)
  process.exitCode = 1
}
