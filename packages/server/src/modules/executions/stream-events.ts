import {
  type CompiledWorkflow,
  createTimelineWalk,
  isTerminal,
  type JournalEntry,
  type Processor,
  type TimelineWalk,
  walkInTurns,
} from '@millrace/engine'
import type { ExecutionKey, ExecutionSnapshot, JournalPart } from '@millrace/engine/storage'
import { withRawJson } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { type Execution, parseJson } from './model.ts'
import { eventIdOf, type StreamPosition } from './stream-position.ts'
import { cursorAt } from './timeline.ts'
import { entryView, executionView, headView } from './views.ts'
import type { Watch } from './watch.ts'

export interface StreamEventsDeps {
  readonly loadWorkflow: (accountId: string, versionId: string) => Promise<CompiledWorkflow>
  readonly readStarted: (key: ExecutionKey) => Promise<Execution | undefined>
  readonly readJournal: (part: JournalPart) => Promise<readonly JournalEntry[]>
  /** Shares this thread among the accounts whose executions are watched. */
  readonly processor: Processor
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
  const teller = createTeller(deps, key, from, signal)
  for (let glimpse = watch.seen; glimpse !== 'gone'; glimpse = watch.seen) {
    try {
      for await (const event of teller.tell(glimpse)) {
        if (signal.aborted) return
        yield event
      }
    } catch (error) {
      // A walk that is aborted rejects.
      if (signal.aborted) return
      throw error
    }
    if (isTerminal(glimpse.state)) return
    await watch.changed(glimpse, deps.heartbeatMs, signal)
    if (signal.aborted) return
    if (watch.seen === glimpse) yield ': still there\n\n'
  }
}

/** Tells what has happened since it was last asked, in the order in which it is in the journal. */
function createTeller(deps: StreamEventsDeps, key: ExecutionKey, from: StreamPosition, signal: AbortSignal) {
  const { accountId, id } = key
  const { processor } = deps
  const inTurns = { processor, accountId, signal }
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
    return createTimelineWalk(
      workflow,
      { id: toTypeId('exec', id), input: parseJson(execution.input), startedAtMs: execution.startedAt.getTime() },
      processor.turn,
    )
  }

  async function* journal(length: number): AsyncGenerator<string> {
    let next = await readFrom(walked, length)
    if (walk === undefined) {
      walk = await begin()
      if (walk === undefined) return
      walk.foresee(next)
      yield* tasks(walk, 0, await walkInTurns(walk.begin(), inTurns))
    }
    while (next.length > 0) {
      const entries = next
      // One page ahead: what ran out of time is in the journal after the entry from which the walk comes to it.
      next = await readFrom((entries.at(-1)?.seq ?? 0) + 1, length)
      walk.foresee([...entries, ...next])
      for (const entry of entries) {
        const indices = await walkInTurns(walk.deliver(entry), inTurns)
        walked = entry.seq + 1
        yield* tasks(walk, walked, indices)
      }
    }
  }

  async function readFrom(first: number, below: number): Promise<readonly JournalEntry[]> {
    return first < below ? deps.readJournal({ accountId, id, from: first, below }) : []
  }

  return {
    async *tell(glimpse: ExecutionSnapshot): AsyncGenerator<string> {
      const execution = await deps.readStarted(key)
      if (execution === undefined) return
      const ended = isTerminal(glimpse.state)
      // Whoever begins to watch learns first of all how things stand; later the state follows from what has happened.
      if (at.state === undefined && !ended && !isTerminal(execution.state)) yield* state(execution)
      if (glimpse.started) yield* journal(glimpse.length)
      if (ended && walk !== undefined) yield* tasks(walk, walked + 1, await walkInTurns(walk.end(), inTurns))
      // It was read after the glimpse: what ended in between is told as ended when its last tasks are.
      if (ended || !isTerminal(execution.state)) yield* state(execution)
      if (ended) yield eventOf('end', `${eventIdOf(at)}-end`, executionView(execution, 'reference'))
    },
  }
}

function eventOf(name: 'state' | 'task' | 'end', id: string, data: object): string {
  // A line break in JSON stands between its parts, never within a text.
  const line = withRawJson(() => JSON.stringify(data)).replaceAll(/[\r\n]+/g, ' ')
  return `event: ${name}\nid: ${id}\ndata: ${line}\n\n`
}
