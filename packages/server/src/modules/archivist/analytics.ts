import type { AuditCount, Verification } from '#modules/audit/index.ts'

export interface Named {
  readonly name: string
  readonly count: number
}

const refusals = new Set(['auth.sign_in_refused'])

/** Decisions about personal data of one kind. */
export interface DecisionCount {
  /** What was done, such as `redacted`. */
  readonly action: string
  readonly decisions: number
}

/** The figures of a period from the counts of its audit events by day, event and state. */
export function figuresOf(
  counts: readonly AuditCount[],
  { days, continueFrom, verified }: Verification,
  decisions: readonly DecisionCount[],
) {
  const ended = counts.filter(({ event }) => event === 'execution.ended')
  const approvals = counts.filter(({ event }) => event.startsWith('approval.'))
  const exceptions = counts.filter(isException)
  return {
    coverage: {
      events: sum(counts, ({ events }) => events),
      logged: sum(counts, ({ logged }) => logged),
      executions: sum(ended, ({ events }) => events),
      executionsWithDigests: sum(ended, ({ logged }) => logged),
    },
    verification: {
      verified,
      days: days.length,
      leaves: sum(days, ({ leaves }) => leaves),
      findings: sum(days, ({ findings }) => findings.length),
      continueFrom: continueFrom ?? null,
    },
    executions: named(ended, ({ state }) => state ?? 'unknown'),
    approvals: named(approvals, ({ event }) => event),
    redactions: named(
      decisions.map(({ action, decisions: events }) => ({ action, events })),
      ({ action }) => action,
    ),
    exceptions: named(exceptions, ({ event, state }) => state ?? event),
    days: [...Map.groupBy(counts, ({ date }) => date)]
      .map(([date, ofDay]) => ({
        date,
        events: sum(ofDay, ({ events }) => events),
        executions: sum(
          ofDay.filter(({ event }) => event === 'execution.ended'),
          ({ events }) => events,
        ),
        exceptions: sum(ofDay.filter(isException), ({ events }) => events),
      }))
      .toSorted((left, right) => left.date.localeCompare(right.date)),
  }
}

function isException({ event, state }: AuditCount): boolean {
  return refusals.has(event) || (event === 'execution.ended' && state !== 'completed')
}

function named<C extends { readonly events: number }>(counts: readonly C[], nameOf: (count: C) => string): Named[] {
  return [...Map.groupBy(counts, nameOf)]
    .map(([name, group]) => ({ name, count: sum(group, ({ events }) => events) }))
    .toSorted((left, right) => right.count - left.count || left.name.localeCompare(right.name))
}

function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0)
}
