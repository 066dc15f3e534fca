import { createTimelineWalk, isTerminal, type Processor, type TimelineEntry, walkInTurns } from '@millrace/engine'
import { toTypeId } from '#platform/ids.ts'
import { erasedIn } from './erased.ts'
import { parseJson, type TimelineSource } from './timeline.ts'

/** What one task of the definition has done in an execution, over all iterations, visits and attempts. */
export interface TaskSummary {
  readonly reference: string
  readonly name: string
  readonly kind: string
  readonly states: Readonly<Partial<Record<TimelineEntry['state'], number>>>
  readonly firstStartedAtMs: number
  /** Undefined while none has ended. */
  readonly lastEndedAtMs: number | undefined
  readonly medianMs: number | undefined
}

/** Sums up the whole timeline by task, in the order in which the tasks began first. Rejects when the signal aborts. */
export async function summariseTimeline(
  processor: Processor,
  { accountId, workflow, execution, startedAt, journal }: TimelineSource,
  signal: AbortSignal,
): Promise<readonly TaskSummary[]> {
  const { id, input, error } = execution
  const source = { id: toTypeId('exec', id), input: parseJson(input), startedAtMs: startedAt.getTime(), error, erased: erasedIn(execution) }
  const walk = createTimelineWalk(workflow, source, processor.turn)
  const inTurns = { processor, accountId, signal }
  walk.noteFailures(journal)
  await walkInTurns(walk.begin(), inTurns)
  for (const entry of journal) await walkInTurns(walk.deliver(entry), inTurns)
  if (isTerminal(execution.state)) await walkInTurns(walk.end(), inTurns)
  const byTask = Map.groupBy(walk.entries, ({ reference }) => reference)
  return [...byTask.values()].flatMap((entries) => summaryOf(entries))
}

function summaryOf(entries: readonly TimelineEntry[]): readonly TaskSummary[] {
  const [first] = entries
  if (first === undefined) return []
  const states: Partial<Record<TimelineEntry['state'], number>> = {}
  for (const { state } of entries) states[state] = (states[state] ?? 0) + 1
  const ended = entries.flatMap(({ startedAtMs, endedAtMs }) => (endedAtMs === undefined ? [] : [{ startedAtMs, endedAtMs }]))
  return [
    {
      reference: first.reference,
      name: first.name,
      kind: first.kind,
      states,
      firstStartedAtMs: entries.reduce((least, { startedAtMs }) => Math.min(least, startedAtMs), Infinity),
      lastEndedAtMs: ended.length === 0 ? undefined : ended.reduce((most, { endedAtMs }) => Math.max(most, endedAtMs), -Infinity),
      medianMs: medianOf(ended.map(({ startedAtMs, endedAtMs }) => endedAtMs - startedAtMs)),
    },
  ]
}

/** The lower one of the two in the middle. */
function medianOf(durations: readonly number[]): number | undefined {
  return durations.toSorted((a, b) => a - b)[Math.floor((durations.length - 1) / 2)]
}
