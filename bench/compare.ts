import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describeLoad, describeMachine } from './machine.ts'
import { type Helper, startHelper } from './neighbours/helper.ts'
import type { Cost, RowsHandlers } from './rows-process.ts'
import { spread } from './spread.ts'

/**
 * `npm run bench:compare -- OTHER [seconds] [rounds] [row]`: the rows of `npm run bench` of the checkout at OTHER and of this one in turns. Both have their
 * server running, and each row is measured in one and then in the other, so that other load on the machine affects both. Prints the ratio of
 * each row as the median of the rounds, with the interquartile range, minimum and maximum. Compare a checkout with itself to measure
 * the noise. Afterwards, in turns as well, what an execution costs: processor time, which depends less on other load than rates do, and WAL. OTHER needs the `bench` folder of this checkout.
 */
const [other = '', seconds = '1', rounds = '20', only] = process.argv.slice(2)
if (other === '') throw new Error('say which checkout to compare with: npm run bench:compare -- /path/to/other [seconds] [rounds]')
const ms = Number(seconds) * 1000
const slower = 0.97
const costRoundsMax = 5

interface Side {
  readonly helper: Helper<RowsHandlers>
  readonly rows: Awaited<ReturnType<RowsHandlers['open']>>
}

async function open(folder: string): Promise<Side> {
  const helper = startHelper<RowsHandlers>(pathToFileURL(resolve(folder, 'bench/rows-process.ts')).href)
  return { helper, rows: await helper.ask('open', undefined) }
}

const sides = { theirs: await open(other), ours: await open(fileURLToPath(new URL('..', import.meta.url))) }
process.stdout.write(`${describeMachine()}\n${other} and this checkout in turns, ${rounds} rounds of ${seconds} s\n\n`)
process.stdout.write(
  `${'row'.padEnd(38)} ${'other'.padStart(11)} ${'this'.padStart(11)}   this to other: median (middle half; least to most), above 1 is better\n`,
)
const common = sides.ours.rows.filter(({ id }) => (only === undefined || id === only) && sides.theirs.rows.some((row) => row.id === id))
const figures = new Map(common.map(({ id }) => [id, { theirs: [] as number[], ours: [] as number[] }]))
let failures = 0
for (let round = 0; round < Number(rounds); round++) {
  // The order alternates, so that being second is no advantage.
  const order = round % 2 === 0 ? (['theirs', 'ours'] as const) : (['ours', 'theirs'] as const)
  for (const { id } of common) {
    for (const side of order) {
      const figure = await sides[side].helper.ask('measure', { id, ms })
      figures.get(id)?.[side].push(figure.value)
      failures += figure.failures
    }
  }
}
for (const { id, show } of common) line(id, show === 'rate', figures.get(id) ?? { theirs: [], ours: [] })
await compareCosts()
process.stdout.write(`\n${describeLoad()}\n`)
for (const { helper } of Object.values(sides)) {
  await helper.ask('close', undefined)
  await helper.stop()
}
if (failures > 0) throw new Error(`${failures} requests failed; the figures are not what they should be`)

function line(
  id: string,
  isRate: boolean,
  { theirs, ours }: { readonly theirs: readonly number[]; readonly ours: readonly number[] },
): void {
  const ratios = ours
    .map((now, round) => (isRate ? now / (theirs[round] ?? Number.NaN) : (theirs[round] ?? Number.NaN) / now))
    .toSorted((one, another) => one - another)
  const at = (share: number) => ratios[Math.min(ratios.length - 1, Math.floor(ratios.length * share))] ?? Number.NaN
  const shown = `${at(0.5).toFixed(3)} (${at(0.25).toFixed(3)} to ${at(0.75).toFixed(3)}; ${at(0).toFixed(3)} to ${at(1).toFixed(3)})`
  const verdict = at(0.5) >= slower ? '' : at(0.75) < 1 ? '  SLOWER' : '  slower, within the noise'
  const show = (values: readonly number[]) => (isRate ? `${Math.round(spread(values).median)}/s` : `${spread(values).median.toFixed(2)} ms`)
  process.stdout.write(`${id.padEnd(38)} ${show(theirs).padStart(11)} ${show(ours).padStart(11)}   ${shown}${verdict}\n`)
}

/** Processor time and WAL of an execution, with all that is done because of it later. */
async function compareCosts(): Promise<void> {
  const measured = common.filter(({ hasCost }) => hasCost)
  const costs = new Map(measured.map(({ id }) => [id, { theirs: [] as Cost[], ours: [] as Cost[] }]))
  for (let round = 0; round < Math.min(Number(rounds), costRoundsMax); round++) {
    for (const { id } of measured) {
      for (const side of round % 2 === 0 ? (['theirs', 'ours'] as const) : (['ours', 'theirs'] as const))
        costs.get(id)?.[side].push(await sides[side].helper.ask('cost', { id, ms }))
    }
  }
  process.stdout.write(
    `\n${'an execution, other → this (median)'.padEnd(38)} ${'server, µs'.padStart(16)} ${'PostgreSQL, µs'.padStart(16)} ${'WAL, bytes'.padStart(16)}\n`,
  )
  for (const [id, { theirs, ours }] of costs) {
    const median = (all: readonly Cost[], key: keyof Cost) => Math.round(spread(all.map((cost) => cost[key])).median)
    const shown = (['server', 'database', 'wal'] as const).map((key) => `${median(theirs, key)} → ${median(ours, key)}`.padStart(16))
    process.stdout.write(`${id.padEnd(38)} ${shown.join(' ')}\n`)
  }
}
