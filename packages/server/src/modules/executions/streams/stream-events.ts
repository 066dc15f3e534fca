import {
  type CompiledWorkflow,
  createTimelineWalk,
  isTerminal,
  type JournalEntry,
  type Processor,
  type TimelineWalk,
  walkInTurns,
} from '@millrace/engine'
import type { ExecutionKey, ExecutionRevision, JournalPart } from '@millrace/engine/storage'
import { eventText, heartbeatText, retryText } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { eventIdOf, type StreamPosition } from './stream-position.ts'
import type { ShownExecution } from '#modules/executions/disclosure.ts'
import { erasedIn, type ReadExecution } from '#modules/executions/erased.ts'
import { cursorAt, parseJson } from '#modules/executions/timeline.ts'
import { entryView, executionView, summaryView } from '#modules/executions/views.ts'
import type { Watch } from './watcher.ts'

export interface StreamEventsDeps {
  readonly loadWorkflow: (accountId: string, versionId: string) => Promise<CompiledWorkflow>
  readonly findExecution: (key: ExecutionKey) => Promise<ReadExecution | undefined>
  /** The execution as callers see it. */
  readonly show: (accountId: string, execution: ReadExecution) => Promise<ShownExecution>
  readonly readJournal: (part: JournalPart) => Promise<readonly JournalEntry[]>
  /** Shares this thread among the accounts whose executions are watched. */
  readonly processor: Processor
  /** A comment is sent after so long without an event, so that proxies keep the connection open. */
  readonly heartbeatMs: number
}

/** The text of a stream of server-sent events, piece by piece, from a position until the execution has ended or the signal aborts. */
export async function* streamEvents(
  deps: StreamEventsDeps,
  key: ExecutionKey,
  from: StreamPosition,
  watch: Watch,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield retryText
  const eventsSince = createEventSource(deps, key, from, signal)
  for (let revision = watch.seen; revision !== 'gone'; revision = watch.seen) {
    try {
      for await (const event of eventsSince(revision)) {
        if (signal.aborted) return
        yield event
      }
    } catch (error) {
      // A walk that is aborted rejects.
      if (signal.aborted) return
      throw error
    }
    if (isTerminal(revision.state)) return
    await watch.changed(revision, deps.heartbeatMs, signal)
    if (signal.aborted) return
    if (watch.seen === revision) yield heartbeatText
  }
}

/** Makes a function that yields the events since its last call, in the order of the journal. */
function createEventSource(deps: StreamEventsDeps, key: ExecutionKey, from: StreamPosition, signal: AbortSignal) {
  const { accountId, id } = key
  const { processor } = deps
  const inTurns = { processor, accountId, signal }
  let at = from
  let walk: TimelineWalk | undefined
  let walked = 0

  /** Events of one step, without those that were sent before. */
  function* tasks({ entries }: TimelineWalk, step: number, indices: readonly number[]): Generator<string> {
    for (const [ordinal, index] of indices.entries()) {
      const entry = entries[index]
      if (entry === undefined || step < at.step || (step === at.step && ordinal < at.count)) continue
      at = { ...at, step, count: ordinal + 1 }
      yield eventText({ name: 'task', id: eventIdOf(at), data: entryView(entry, 'reference', id, cursorAt(index)) })
    }
  }

  function* state(execution: ReadExecution): Generator<string> {
    if (execution.state === at.state) return
    at = { ...at, state: execution.state }
    yield eventText({ name: 'state', id: eventIdOf(at), data: summaryView(execution) })
  }

  async function begin(): Promise<TimelineWalk | undefined> {
    const execution = await deps.findExecution(key)
    if (execution?.startedAt === undefined) return undefined
    const workflow = await deps.loadWorkflow(accountId, execution.versionId)
    return createTimelineWalk(
      workflow,
      {
        id: toTypeId('exec', id),
        input: parseJson(execution.input),
        startedAtMs: execution.startedAt.getTime(),
        error: execution.error,
        erased: erasedIn(execution),
      },
      processor.turn,
    )
  }

  async function* journal(length: number): AsyncGenerator<string> {
    let next = await readFrom(walked, length)
    if (walk === undefined) {
      walk = await begin()
      if (walk === undefined) return
      walk.noteFailures(next)
      yield* tasks(walk, 0, await walkInTurns(walk.begin(), inTurns))
    }
    while (next.length > 0) {
      const entries = next
      // The walk needs one page ahead: a timeout is journalled after the entry at which the walk reaches it.
      next = await readFrom((entries.at(-1)?.seq ?? 0) + 1, length)
      walk.noteFailures([...entries, ...next])
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

  return async function* eventsSince(revision: ExecutionRevision): AsyncGenerator<string> {
    const execution = await deps.findExecution(key)
    if (execution === undefined) return
    const ended = isTerminal(revision.state)
    // A new stream begins with the state; later the state follows the tasks that led to it.
    if (at.state === undefined && !ended && !isTerminal(execution.state)) yield* state(execution)
    if (revision.started) yield* journal(revision.length)
    if (ended && walk !== undefined) yield* tasks(walk, walked + 1, await walkInTurns(walk.end(), inTurns))
    // The execution was read after the revision: an end in between is sent with its last tasks, in the next call.
    if (ended || !isTerminal(execution.state)) yield* state(execution)
    if (!ended) return
    const shown = await deps.show(accountId, execution)
    yield eventText({ name: 'end', id: `${eventIdOf(at)}-end`, data: executionView(shown, 'reference') })
  }
}
