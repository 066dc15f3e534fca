import { describeLoad, describeMachine } from './machine.ts'
import { type Attack, families } from './neighbours/attack.ts'
import { attacks } from './neighbours/catalogue.ts'
import { type AttackOutcome, promised, verdictOf, verdictOfTermination, worstSlowdown } from './neighbours/verdict.ts'
import { openStage, type Stage, type StageOptions } from './neighbours/stage.ts'

/**
 * `npm run bench:neighbours [filter] [delivered|raised] [seconds]`: the latencies of one account while another one attacks, for each attack, with the default
 * rate limits and without any. The filter is a part of a name or a family. Ends with code 1 if a bound is violated.
 */
const [filter = '', limits = 'both', seconds = '6'] = process.argv.slice(2)
const chosen = attacks.filter(({ name, family }) => family === filter || name.includes(filter))
const options: Omit<StageOptions, 'limits'> = {
  quietMs: 3_000,
  attackMs: Number(seconds) * 1000,
  graceMs: 4_000,
  settleMs: 15_000,
  shutdownSeconds: 10,
}
const titles = ['attack', 'health p50 p99 max', 'control p99 max', 'victim quiet → attack', 'answers; executions', 'verdict']
const widths = [60, 20, 16, 30, 44]
let broken = 0

process.stdout.write(
  `${describeMachine()}\n${seconds} s each; times in ms; the slowest act of the victim with its quiet median and its ${promised.share}\n`,
)
for (const setting of ['delivered', 'raised'] as const) {
  if (limits !== 'both' && limits !== setting) continue
  process.stdout.write(`\nlimits of requests ${setting === 'delivered' ? 'as delivered' : 'raised'}\n`)
  line(titles)
  await using stage = openStage({ ...options, limits: setting })
  for (const attack of chosen) report(await stage.attack(attack))
  for (const family of families) {
    const attack = chosen.find((one) => one.family === family)
    if (attack !== undefined) await reportTermination(attack, stage)
  }
}
process.stdout.write(`\n${broken} broken; ${describeLoad()}\n`)
if (broken > 0) process.exitCode = 1

function report(outcome: AttackOutcome): void {
  const { attack, under, assailed, settled } = outcome
  const { health, control } = under
  const worst = worstSlowdown(outcome, promised)
  const verdict = verdictOf(outcome, promised)
  const statuses = Object.entries(assailed.statuses).map(([status, count]) => `${count}×${status}`)
  const ends = `${settled.faulted} faulted, ${settled.open} cut`
  const cells = [
    `${attack.family}: ${attack.name}`,
    `${ms(health.p50)} ${ms(health.p99)} ${ms(health.max)}`,
    `${ms(control.p99)} ${ms(control.max)}`,
    `${worst.act} ${ms(worst.quietMs)} → ${ms(worst.underMs)} (×${worst.times.toFixed(1)})`,
    `${statuses.join(' ')}; ${ends}`,
  ]
  if (verdict.length > 0) broken += 1
  line([...cells, verdict.length === 0 ? 'ok' : `BROKEN: ${verdict.join('; ')}`])
  for (const fault of settled.faults.slice(0, 2)) process.stdout.write(`    ${fault}\n`)
}

async function reportTermination(attack: Attack, stage: Stage): Promise<void> {
  const what = `SIGTERM during ${attack.family}: ${attack.name}`
  try {
    const outcome = await stage.terminateDuring(attack)
    const { ending, restartMs, afterwards } = outcome
    const verdict = verdictOfTermination(outcome, promised)
    if (verdict.length > 0) broken += 1
    const { health, control } = afterwards
    const worst = worstSlowdown({ quiet: outcome.quiet, under: afterwards }, promised)
    line([
      what,
      `${ms(health.p50)} ${ms(health.p99)} ${ms(health.max)}`,
      `${ms(control.p99)} ${ms(control.max)}`,
      `${worst.act} ${ms(worst.quietMs)} → ${ms(worst.underMs)} (×${worst.times.toFixed(1)})`,
      `${ending.killed ? 'killed after' : 'ended after'} ${ms(ending.ms)}, started in ${ms(restartMs)}`,
      verdict.length === 0 ? 'ok' : `BROKEN: ${verdict.join('; ')}`,
    ])
  } catch (error) {
    broken += 1
    line([what, '', '', '', '', `BROKEN: ${error instanceof Error ? error.message : String(error)}`])
  }
}

function line(cells: readonly string[]): void {
  process.stdout.write(`${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' ')}\n`)
}

function ms(time: number): string {
  return time.toFixed(time < 10 ? 1 : 0)
}
