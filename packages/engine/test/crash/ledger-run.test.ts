import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { runLedger } from './ledger-run.ts'

// Of few kills, none may find its process at a boundary in time.
const [executions, deaths, atBoundaries] = inject('deep') ? [150, 15, 1] : [50, 5, 0]

// The short form of `npm run ledger`. Other tests run at the same time, also on slow machines, so timers and recoveries may be later than guaranteed.
test('executions survive killed processes, restarts of the database and network failures: none is lost, and no effect is performed twice', async () => {
  const home = await mkdtemp(join(tmpdir(), 'millrace-ledger-'))
  const messages: string[] = []
  const { broken, seen, kills, faults } = await runLedger({
    executions,
    kills: deaths,
    restarts: 1,
    cuts: 1,
    seed: 20,
    processes: 3,
    concurrency: 40,
    home,
    limits: { recoveryMsMax: 120_000, timerLateMsMax: 60_000 },
    say: (what) => messages.push(what),
  })
  expect(broken, messages.join('\n')).toEqual([])
  expect(seen.starts).toHaveLength(executions)
  expect(seen.usage.reduce((sum, { metered }) => sum + metered.tasks, 0)).toBeGreaterThan(executions)
  expect(kills.length).toBeGreaterThanOrEqual(deaths)
  expect(kills.filter(({ place }) => place !== 'anywhere').length).toBeGreaterThanOrEqual(atBoundaries)
  expect([...faults.restarts.values(), ...faults.cuts.values()]).toEqual([1, 1])
  await rm(home, { recursive: true, force: true })
})
