import type { ReactNode } from 'react'
import { boot } from '#src/boot.ts'
import type { Approval } from '#src/approvals/approval.ts'
import { useApproverNames } from '#src/approvals/approver-names.ts'
import { m } from '#src/messages/messages.ts'
import { errorWords } from '#src/run/error-words.ts'
import type { TaskState } from '#src/run/task-states.ts'
import type { TimelineEntry } from '#src/run/use-run.ts'
import { Button } from '#src/ui/button.tsx'
import { rowTime } from '#src/values/format.ts'

interface WhereItWaitsProps {
  readonly states: ReadonlyMap<string, TaskState>
  readonly approvals: readonly Approval[]
  readonly select: (reference: string) => void
}

type Wait = NonNullable<TimelineEntry['waitsFor']>

/** A loop may wait in many rounds at once. */
const shownMax = 5

/** Which steps of a run wait, for what, since when and until when. */
export function WhereItWaits({ states, approvals, select }: WhereItWaitsProps) {
  const w = m.waits
  const entries = [...states.values()].flatMap((task) => task.entries)
  const waiting = entries.flatMap((entry) => (entry.waitsFor === undefined ? [] : [{ entry, wait: entry.waitsFor }]))
  if (waiting.length === 0) return null
  return (
    <section className="why waits" aria-label={w.title}>
      <ul className="grow">
        {waiting.slice(0, shownMax).map(({ entry, wait }) => {
          const approval = wait.what === 'decision' ? approvals.find(({ position }) => position === entry.position) : undefined
          const failed = wait.what === 'retry' ? failedIn(entry, entries) : undefined
          const { reference, name } = failed ?? entry
          return (
            <li key={entry.position}>
              {wait.what === 'retry' ? w.tries : w.waitsIn}{' '}
              <button type="button" className="link b" onClick={() => select(reference)}>
                <bdi>{name}</bdi>
              </button>{' '}
              <Reason entry={entry} wait={wait} approval={approval} failed={failed} />
              {approval?.state === 'open' && (
                <>
                  {' '}
                  <Button size="sm" onClick={() => document.querySelector<HTMLElement>(`#${approval.id}`)?.focus()}>
                    {w.toApproval}
                  </Button>
                </>
              )}
            </li>
          )
        })}
        {waiting.length > shownMax && <li className="t13 i2">{m.uses.more(waiting.length - shownMax)}</li>}
      </ul>
    </section>
  )
}

interface ReasonProps {
  readonly entry: TimelineEntry
  readonly wait: Wait
  readonly approval: Approval | undefined
  /** What failed in the last attempt. */
  readonly failed: TimelineEntry | undefined
}

function Reason({ entry, wait, approval, failed }: ReasonProps): ReactNode {
  const w = m.waits
  const namesOf = useApproverNames()
  const since = w.since(rowTime(entry.startedAt))
  const until = wait.until === undefined ? '' : w.until(rowTime(wait.until))
  switch (wait.what) {
    case 'time':
      return wait.until === undefined ? since : w.time(rowTime(wait.until))
    case 'retry':
      return `${w.again(rowTime(wait.until ?? entry.startedAt), wait.attempt ?? 2, wait.attemptsMax)}${w.because(failed?.error === undefined ? '' : errorWords(failed.error))}`
    case 'event':
      return `${eventWords(wait.events ?? [])}${since}${until}`
    case 'execution':
      return `${w.execution(wait.workflow ?? '')}${since}${until}`
    case 'decision': {
      const people = approval === undefined ? '' : either.format(namesOf(approval.approvers))
      const deadline = approval?.deadlineAt ?? wait.until
      return `${w.decision(people)}${since}${deadline === undefined ? '' : w.until(rowTime(deadline))}`
    }
  }
}

const either = new Intl.ListFormat(boot.locale, { type: 'disjunction' })

/** The events of which one is awaited, with the values that they must have. */
function eventWords(events: NonNullable<Wait['events']>): string {
  const words = events.map(({ attributes: { type, ...others }, correlation }) => {
    const values = Object.entries({ ...others, ...correlation }).map(([name, value]) => `${name}: ${textOf(value)}`)
    return `${textOf(type ?? '')}${values.length === 0 ? '' : ` (${values.join(', ')})`}`.trim()
  })
  return m.waits.event(either.format(words.filter((word) => word !== '')))
}

const textMax = 60

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text
}

/** The task that failed in the last attempt of a `try`. */
function failedIn({ reference, iteration }: TimelineEntry, entries: readonly TimelineEntry[]): TimelineEntry | undefined {
  return entries
    .filter(({ state, reference: inner }) => state === 'faulted' && inner.startsWith(`${reference}/try/`))
    .filter((inner) => iteration.every((round, level) => inner.iteration[level] === round))
    .toSorted((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt))
    .at(-1)
}
