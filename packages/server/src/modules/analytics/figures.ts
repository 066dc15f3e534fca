import { timeOfClass } from './evaluated.ts'
import type { CountRow, TimeRow } from './figures-store.ts'

export interface Times {
  readonly mean: number | null
  readonly p50: number | null
  readonly p90: number | null
  readonly p99: number | null
}

export interface Counts {
  readonly executions: number
  readonly completed: number
  readonly faulted: number
  readonly cancelled: number
  readonly retries: number
}

export interface Figures extends Counts {
  readonly successRate: number | null
  readonly durationMs: Times
  readonly queueWaitMs: Times
  readonly savedMinutes: number | null
}

export function countsOf(rows: readonly CountRow[]): Counts {
  const of = (state: CountRow['state']) => sum(rows.filter((row) => row.state === state).map(({ executions }) => executions))
  const [completed, faulted, cancelled] = [of('completed'), of('faulted'), of('cancelled')]
  return { executions: completed + faulted + cancelled, completed, faulted, cancelled, retries: sum(rows.map(({ retries }) => retries)) }
}

export function figuresOf(rows: readonly CountRow[], times: readonly TimeRow[], savedMinutes: number | undefined): Figures {
  const counts = countsOf(rows)
  const { completed, faulted } = counts
  return {
    ...counts,
    successRate: completed + faulted === 0 ? null : completed / (completed + faulted),
    durationMs: timesOf(times, 'duration', meanDuration(rows)),
    queueWaitMs: timesOf(
      times,
      'wait',
      mean(rows, ({ wait_ms: ms }) => ms),
    ),
    savedMinutes: savedMinutes ?? null,
  }
}

/** Mean time from the begin to the end, in milliseconds; null without executions that were begun. */
export function meanDuration(rows: readonly CountRow[]): number | null {
  return mean(rows, ({ duration_ms: ms }) => ms)
}

function mean(rows: readonly CountRow[], msOf: (row: CountRow) => number): number | null {
  const begun = sum(rows.map((row) => row.begun))
  return begun === 0 ? null : Math.round(sum(rows.map(msOf)) / begun)
}

function timesOf(rows: readonly TimeRow[], measure: TimeRow['measure'], meanMs: number | null): Times {
  const classes = rows.filter((row) => row.measure === measure).toSorted((one, other) => one.class - other.class)
  return { mean: meanMs, p50: percentile(classes, 0.5), p90: percentile(classes, 0.9), p99: percentile(classes, 0.99) }
}

/** The nearest-rank percentile: the least time that at least this share of the executions does not exceed. */
function percentile(classes: readonly TimeRow[], share: number): number | null {
  const rank = Math.ceil(sum(classes.map(({ executions }) => executions)) * share)
  let below = 0
  for (const { class: timeClass, executions } of classes) {
    below += executions
    if (below >= rank) return timeOfClass(timeClass)
  }
  return null
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
