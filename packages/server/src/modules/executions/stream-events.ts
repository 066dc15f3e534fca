import { type CompiledWorkflow, createTimelineWalk, type JournalEntry, type TimelineWalk } from '@millrace/engine'
import { withRawJson } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids/index.ts'
import type { ExecutionKey } from './find-started.ts'
import type { JournalPart } from './journal.ts'
import { type Execution, hasEnded } from './model.ts'
import { parseJson } from './store.ts'
import { eventIdOf, type StreamPosition } from './stream-position.ts'
import { cursorAt } from './timeline.ts'
import { entryView, executionView, headView } from './views.ts'
import type { Glimpse, Watch } from './watch.ts'

export interface StreamEventsDeps {
  readonly loadWorkflow: (accountId: string, versionId: string) => Promise<CompiledWorkflow>
  readonly readStarted: (key: ExecutionKey) => Promise<Execution | undefined>
  readonly readJournal: (part: JournalPart) => Promise<readonly JournalEntry[]>
  /** After so long without an event a comment is sent, so that whatever stands in between keeps the connection. */
  readonly heartbeatMs: number
}

/** What a browser waits before it connects again. */
const reconnectMs = 1_000

/** The text of a stream of server-sent events, piece by piece, from a position until the execution has ended or the signal aborts. */
export async function* streamEvents(
  deps: StreamEventsDeps,
  key: ExecutionKey,
  from: StreamPosition,
  watch: Watch,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield `retry: ${reconnectMs}\n\n`
  const teller = createTeller(deps, key, from)
  for (let glimpse = watch.seen; glimpse !== 'gone'; glimpse = watch.seen) {
    for await (const event of teller.tell(glimpse)) {
      if (signal.aborted) return
      yield event
    }
    if (hasEnded(glimpse.state)) return
    await watch.changed(glimpse, deps.heartbeatMs, signal)
    if (signal.aborted) return
    if (watch.seen === glimpse) yield ': still there\n\n'
  }
}

/** Tells what has happened since it was last asked, in the order in which it is in the journal. */
function createTeller(deps: StreamEventsDeps, key: ExecutionKey, from: StreamPosition) {
  const { accountId, id } = key
  let at = from
  let walk: TimelineWalk | undefined
  let walked = 0

  /** Events of one step; those that were sent before are left out. */
  function* tasks({ entries }: TimelineWalk, step: number, indices: readonly number[]): Generator<string> {
    for (const [ordinal, index] of indices.entries()) {
      const entry = entries[index]
      if (entry === undefined || step < at.step || (step === at.step && ordinal < at.count)) continue
      at = { ...at, step, count: ordinal + 1 }
      yield eventOf('task', eventIdOf(at), entryView(entry, 'reference', id, cursorAt(index)))
    }
  }

  function* state(execution: Execution): Generator<string> {
    if (execution.state === at.state) return
    at = { ...at, state: execution.state }
    yield eventOf('state', eventIdOf(at), headView(execution))
  }

  async function begin(): Promise<TimelineWalk | undefined> {
    const execution = await deps.readStarted(key)
    if (execution?.startedAt === undefined) return undefined
    const workflow = await deps.loadWorkflow(accountId, execution.versionId)
    return createTimelineWalk(workflow, {
      id: toTypeId('exec', id),
      input: parseJson(execution.input),
      startedAtMs: execution.startedAt.getTime(),
    })
  }

  async function* journal(length: number): AsyncGenerator<string> {
    if (walk === undefined) {
      walk = await begin()
      if (walk === undefined) return
      yield* tasks(walk, 0, walk.first)
    }
    while (walked < length) {
      const entries = await deps.readJournal({ accountId, id, from: walked, below: length })
      if (entries.length === 0) return
      for (const entry of entries) {
        const indices = walk.deliver(entry)
        walked = entry.seq + 1
        yield* tasks(walk, walked, indices)
      }
    }
  }

  return {
    async *tell(glimpse: Glimpse): AsyncGenerator<string> {
      const execution = await deps.readStarted(key)
      if (execution === undefined) return
      const ended = hasEnded(glimpse.state)
      // Whoever begins to watch learns first of all how things stand; later the state follows from what has happened.
      if (at.state === undefined && !ended && !hasEnded(execution.state)) yield* state(execution)
      if (glimpse.started) yield* journal(glimpse.length)
      if (ended && walk !== undefined) yield* tasks(walk, walked + 1, walk.end())
      // It was read after the glimpse: what ended in between is told as ended when its last tasks are.
      if (ended || !hasEnded(execution.state)) yield* state(execution)
      if (ended) yield eventOf('end', `${eventIdOf(at)}-end`, executionView(execution, 'reference'))
    },
  }
}

function eventOf(name: 'state' | 'task' | 'end', id: string, data: object): string {
  // A line break in JSON stands between its parts, never within a text.
  const line = withRawJson(() => JSON.stringify(data)).replaceAll(/[\r\n]+/g, ' ')
  return `event: ${name}\nid: ${id}\ndata: ${line}\n\n`
}
