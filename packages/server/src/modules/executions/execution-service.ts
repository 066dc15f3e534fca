import { Fault } from '@millrace/contract'
import {
  type CompiledWorkflow,
  type Engine,
  type ExecutionSnapshot,
  isTerminal,
  type JournalEntry,
  type Json,
  type Processor,
} from '@millrace/engine'
import type { ExecutionKey, StoredExecution } from '@millrace/engine/storage'
import type { Tx } from '#platform/http/index.ts'
import { withLinkedSignal } from '#platform/linked-signal.ts'
import { type DiscloseOutput, type ShownExecution, shownExecution, shownSnapshot } from './disclosure.ts'
import type { ReadExecution } from './erased.ts'
import { type ListOptions, pageOfExecutions } from './list-executions.ts'
import { listedExecutions } from './listed-executions.ts'
import { type SearchDeps, searchPage, type SearchRequest } from './search-executions.ts'
import { createStart, type StartCommand, type StartDeps, type StartedExecution } from './start.ts'
import { summariseTimeline, type TaskSummary } from './timeline-summary.ts'
import { type ExecutionRecord, type RecordOptions, recordPage, type VersionSources } from './record.ts'
import { readTimeline, type Timeline, type TimelineOptions, type TimelineSource } from './timeline.ts'

export interface ExecutionServiceDeps extends StartDeps, SearchDeps {
  readonly engine: Pick<Engine, 'start' | 'outcome'>
  readonly loadWorkflow: (accountId: string, versionId: string) => Promise<CompiledWorkflow>
  /** What a version is compiled from. */
  readonly versionSources: (accountId: string, versionId: string) => Promise<VersionSources>
  /** Fault `not_found` for a workflow that the account never had. */
  readonly assertWorkflow: (tx: Tx, accountId: string, workflowId: string) => Promise<void>
  /** Applies the privacy policy for outputs to what callers get. */
  readonly disclose: DiscloseOutput
  readonly findExecution: (key: ExecutionKey) => Promise<StoredExecution | undefined>
  /** The same for people, with the erasure that has replaced data in it. */
  readonly readExecution: (key: ExecutionKey) => Promise<ReadExecution | undefined>
  readonly readJournal: (key: ExecutionKey) => Promise<readonly JournalEntry[]>
  /** Shares this thread among the accounts whose executions are read. */
  readonly processor: Processor
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Aborts when the server closes: a request that waits for an end then gets its response at once. */
  readonly closing: AbortSignal
}

/** For how long a request waits. */
export interface WaitOptions {
  readonly waitMs: number
  /** Aborts when the client has disconnected. */
  readonly signal: AbortSignal
}

/** How long the walk for one page may take, its computations in other threads included. */
const readMsMax = 20_000

export type ExecutionService = ReturnType<typeof createExecutionService>

/** Starts executions, waits for their ends, and reads what they did. */
export function createExecutionService(deps: ExecutionServiceDeps) {
  const start = createStart(deps)

  /** The execution when it has ended or replied, or when the time is over. */
  async function wait({ accountId }: StartCommand, started: StartedExecution, { waitMs, signal }: WaitOptions): Promise<ExecutionSnapshot> {
    if (!started.replayed && isTerminal(started.snapshot.state)) return started.snapshot
    const { id } = started
    const snapshot = await withLinkedSignal(deps.closing, signal, (over) => deps.engine.outcome(accountId, id, waitMs, over))
    if (snapshot === undefined) throw missing(id)
    return snapshot
  }

  async function find(key: ExecutionKey): Promise<StoredExecution> {
    const execution = await deps.findExecution(key)
    if (execution === undefined) throw missing(key.id)
    return execution
  }

  /** Walks an execution that has begun, for a bounded time; undefined for one that has not. */
  async function walked<T>(
    key: ExecutionKey,
    execution: ReadExecution,
    signal: AbortSignal,
    walk: (source: TimelineSource, signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const { startedAt, versionId } = execution
    if (startedAt === undefined) return undefined
    const { accountId } = key
    const journal = await deps.readJournal(key)
    const workflow = await deps.loadWorkflow(accountId, versionId)
    const tooLong = AbortSignal.timeout(readMsMax)
    try {
      return await walk({ accountId, workflow, execution, startedAt, journal }, AbortSignal.any([tooLong, signal]))
    } catch (error) {
      if (!tooLong.aborted) throw error
      const detail = 'The tasks of this execution compute too much to be shown now. Ask for fewer entries, or try again later.'
      throw new Fault('overloaded', { detail, cause: error, retryAfterSeconds: 10 })
    }
  }

  return {
    start,

    /** The execution as callers see it. */
    show: (accountId: string, execution: StoredExecution): Promise<ShownExecution> => shownExecution(deps.disclose, accountId, execution),

    /** Starts an execution and, with options, waits until it has ended or replied. Only a repetition reads it from the database. */
    async execute(command: StartCommand, options: WaitOptions | undefined) {
      const started = await start(undefined, command)
      const { id, replayed } = started
      const snapshot = options === undefined ? undefined : await wait(command, started, options)
      const execution = replayed ? await find({ accountId: command.accountId, id }) : newExecution(started, snapshot ?? started.snapshot)
      return { execution: await shownExecution(deps.disclose, command.accountId, execution), replayed }
    },

    /** Starts an execution and waits until it has ended or replied. */
    async run(command: StartCommand, options: WaitOptions) {
      const started = await start(undefined, command)
      const snapshot = await wait(command, started, options)
      return { snapshot: await shownSnapshot(deps.disclose, command, snapshot), replayed: started.replayed }
    },

    async list(tx: Tx, accountId: string, workflowId: string, options: Omit<ListOptions, 'nowMs' | 'versionQuery'>) {
      await deps.assertWorkflow(tx, accountId, workflowId)
      const { data, nextCursor } = await pageOfExecutions(tx, accountId, workflowId, {
        ...options,
        nowMs: deps.now(),
        versionQuery: deps.versionQuery,
      })
      return { data: await listedExecutions(deps, tx, accountId, data), nextCursor }
    },

    /** Executions of all workflows. */
    search: (tx: Tx, accountId: string, request: SearchRequest) => searchPage(deps, tx, accountId, request),

    /** Walks the journal, without a transaction that would wait for it. Fault `overloaded` when that takes too long. */
    async get(
      key: ExecutionKey,
      options: TimelineOptions,
      signal: AbortSignal,
    ): Promise<{ execution: ShownExecution; timeline: Timeline }> {
      const execution = await deps.readExecution(key)
      if (execution === undefined) throw new Fault('not_found', { detail: 'There is no such execution.' })
      const timeline = await walked(key, execution, signal, (source, within) => readTimeline(deps.processor, source, options, within))
      const shown = await shownExecution(deps.disclose, key.accountId, execution)
      return { execution: shown, timeline: timeline ?? { entries: [], nextCursor: undefined } }
    },

    /** Fault `not_found` for an execution that the account does not have. */
    async assertKnown(key: ExecutionKey): Promise<void> {
      if ((await deps.findExecution(key)) === undefined) throw new Fault('not_found', { detail: 'There is no such execution.' })
    },

    /** All that a replay needs, for a device that computes it itself. */
    async record(key: ExecutionKey, options: RecordOptions): Promise<ExecutionRecord> {
      const execution = await deps.readExecution(key)
      if (execution === undefined) throw new Fault('not_found', { detail: 'There is no such execution.' })
      const [journal, sources] = await Promise.all([deps.readJournal(key), deps.versionSources(key.accountId, execution.versionId)])
      return { execution, sources, ...recordPage(journal, options) }
    },

    /** The same, summed up by task. */
    async summary(key: ExecutionKey, signal: AbortSignal): Promise<{ execution: ShownExecution; tasks: readonly TaskSummary[] }> {
      const execution = await deps.readExecution(key)
      if (execution === undefined) throw new Fault('not_found', { detail: 'There is no such execution.' })
      const tasks = await walked(key, execution, signal, (source, within) => summariseTimeline(deps.processor, source, within))
      return { execution: await shownExecution(deps.disclose, key.accountId, execution), tasks: tasks ?? [] }
    },
  }
}

/** A new execution as it is stored, without reading it. */
function newExecution({ head, version, trigger }: Extract<StartedExecution, { replayed: false }>, now: ExecutionSnapshot): StoredExecution {
  return {
    id: head.id,
    workflowId: head.workflowId,
    version,
    versionId: head.versionId,
    state: now.state,
    trigger,
    createdAt: new Date(head.createdAtMs),
    startedAt: dateOf(now.startedAtMs),
    endedAt: dateOf(now.endedAtMs),
    error: now.error,
    labels: head.labels ?? [],
    awaitsTurn: false,
    input: JSON.stringify(head.input),
    output: textOf(now.output),
    reply: textOf(now.reply?.body),
    decisions: '',
    retryOf: undefined,
    causedBy: head.causedBy,
    retriedBy: undefined,
    turn: undefined,
  }
}

function dateOf(ms: number | undefined): Date | undefined {
  return ms === undefined ? undefined : new Date(ms)
}

function textOf(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)
}

/** An invariant: the account has every execution that was accepted for it. */
function missing(id: string): Error {
  return new Error(`the execution ${id} was accepted and is not in the database`)
}
