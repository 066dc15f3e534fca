import type { LedgerRunResult } from './ledger-run.ts'
import { msWithout, withoutProcess } from './observations.ts'

/** The results of a run, as a table in Markdown. */
export function reportOf({ seen, kills, faults, repeatedStarts, durationMs }: LedgerRunResult): string {
  const { executions, starts, effects, timers, outages, deadLettered } = seen
  const recoveries = seen.recoveries.filter(({ pid }) => pid !== undefined)
  const requests = [...effects.values()].reduce((sum, effect) => sum + effect.requests, 0)
  const places = countBy(kills.map(({ place }) => place))
  const recovered = recoveries.flatMap(({ killedAtMs, progressAtMs }) =>
    progressAtMs === undefined ? [] : [msWithout(outages, killedAtMs, progressAtMs)],
  )
  const takenUp = recoveries.flatMap(({ killedAtMs, takenUpAtMs }) =>
    takenUpAtMs === undefined ? [] : [msWithout(outages, killedAtMs, takenUpAtMs)],
  )
  const late = timers.map(({ dueAtMs, firedAtMs }) => msWithout(outages, dueAtMs, firedAtMs))
  const dead = Map.groupBy(seen.recoveries, ({ executionId }) => executionId)
  const undisturbed = timers.map(({ executionId, dueAtMs, firedAtMs }) =>
    msWithout([...outages, ...(dead.get(executionId) ?? []).map(withoutProcess)], dueAtMs, firedAtMs),
  )
  const rows: readonly (readonly [string, string])[] = [
    ['duration', `${Math.round(durationMs / 1_000)} s`],
    ['executions started and acknowledged', number(starts.length)],
    ['executions in all, with children', number(executions.length)],
    ['ended as', counted(countBy(executions.map(({ state }) => state)))],
    ['starts repeated because their response was lost', number(repeatedStarts)],
    ['kills (SIGKILL)', number(kills.length)],
    ['… at', counted(places)],
    ['restarts of PostgreSQL', counted(faults.restarts)],
    ['cuts of the network', counted(faults.cuts)],
    [
      'outages',
      `${number(outages.length)}, together ${Math.round(outages.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) / 1_000)} s`,
    ],
    ['executions of a process at the time of its kill', number(recoveries.length)],
    ['… from the kill to another process', distribution(takenUp)],
    ['… from the kill to progress', distribution(recovered)],
    ['dead letters, replayed', number(deadLettered.size)],
    ['effects', number(effects.size)],
    ['repeated requests', number(requests - effects.size)],
    ['timers fired', number(timers.length)],
    ['… late by', distribution(undisturbed)],
    ['… including the recovery of timers whose process was killed or had lost them', distribution(late)],
    ['… of these late by more than 2 s', number(late.filter((ms) => ms > 2_000).length)],
    ['executions that differ when walked again', number(seen.differences.length)],
  ]
  return ['| quantity | value |', '|---|---|', ...rows.map(([what, figure]) => `| ${what} | ${figure} |`)].join('\n')
}

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))
}

function counted(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => `${number(count)} ${name}`)
    .join(', ')
}

/** Median, 99th percentile and maximum of milliseconds. */
function distribution(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => `${number(Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0))} ms`
  return `median ${at(0.5)}, 99 % ${at(0.99)}, at most ${at(1)}`
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
