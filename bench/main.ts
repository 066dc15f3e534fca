import { coldStart } from './cold-start.ts'
import type { DatabaseMeter } from './database-meter.ts'
import type { LoadResult } from './load.ts'
import { describeLoad, describeMachine } from './machine.ts'
import { openRows, type Row, warmUpMs } from './rows.ts'
import { showMs, showRate, spread } from './spread.ts'

/**
 * `npm run bench [seconds] [rounds]`: the rows of the speed table, each beside a bare loop measured in the same run. Rows take turns,
 * so that other load on the machine affects all. Then each runs once more to measure its cost for the database.
 */
const durationMs = Number(process.argv[2] ?? 3) * 1000
const rounds = Number(process.argv[3] ?? 3)

await using opened = await openRows()
const { rows } = opened
process.stdout.write(`${describeMachine()}\n${durationMs / 1000} s each, median (least to most) of ${rounds} rounds\n\n`)
for (const row of rows) await row.measure(warmUpMs)
const results = new Map<Row, LoadResult[]>(rows.map((row) => [row, []]))
for (let round = 0; round < rounds; round++) for (const row of rows) results.get(row)?.push(await row.measure(durationMs))
for (const row of rows) process.stdout.write(await lineOf(row))
process.stdout.write(`${'cold start to healthy, existing database'.padEnd(78)} ${showMs(await coldStart(rounds)).padEnd(26)} ≤ 2 s\n`)
process.stdout.write(`\n${describeLoad()}\n`)
const failures = [...results.values()].flat().reduce((sum, result) => sum + result.failures, 0)
if (failures > 0) {
  process.stderr.write(`${failures} requests failed; the figures are not what they should be\n`)
  process.exitCode = 1
}

async function lineOf(row: Row): Promise<string> {
  const got = results.get(row) ?? []
  const figure = row.show === 'rate' ? showRate(spread(got.map((one) => one.perSecond))) : showMs(spread(got.map((one) => one.p50)))
  const cost = row.meter === undefined ? '' : await costOf(row, row.meter)
  return `${row.what.padEnd(78)} ${figure.padEnd(26)} ${row.bar.padEnd(10)} ${[...sharesOf(row), cost].filter((part) => part !== '').join('; ')}\n`
}

/** Round by round, so that a share compares values measured within seconds. */
function sharesOf(row: Row): readonly string[] {
  const mine = results.get(row) ?? []
  return (row.beside ?? []).map((beside) => {
    const theirs = results.get(beside.row) ?? []
    const shares = spread(mine.map((one, round) => one.perSecond / (theirs[round]?.perSecond ?? Number.NaN)))
    return `${shares.median.toFixed(2)} of ${beside.name}`
  })
}

async function costOf(row: Row, meter: DatabaseMeter): Promise<string> {
  let executions = 0
  const use = await meter.during(async () => {
    executions = (await row.measure(durationMs)).answers
  })
  return `${(use.commits / executions).toFixed(2)} transactions, ${Math.round(use.walBytes / executions)} bytes of WAL each`
}
