import { Fault } from '@millrace/contract'
import { type CompiledWorkflow, type Engine, isTerminal, type JournalEntry, type Processor, type Started } from '@millrace/engine'
import type { Tx } from '#platform/http/index.ts'
import type { ExecutionKey } from '@millrace/engine/storage'
import { type ListOptions, pageOfExecutions } from './list-executions.ts'
import type { Execution } from './model.ts'
import { createStart, type StartCommand, type StartDeps } from './start.ts'
import { readTimeline, type Timeline, type TimelineOptions } from './timeline.ts'

export interface ExecutionsDeps extends StartDeps {
  readonly engine: Pick<Engine, 'start' | 'outcome'>
  readonly loadWorkflow: (accountId: string, versionId: string) => Promise<CompiledWorkflow>
  /** Fault `not_found` for a workflow that the account never had. */
  readonly assertWorkflow: (tx: Tx, accountId: string, workflowId: string) => Promise<void>
  readonly readStarted: (key: ExecutionKey) => Promise<Execution | undefined>
  /** For the number of an execution's version (`listExecutions` of the engine). */
  readonly versionQuery: string
  readonly readJournal: (key: ExecutionKey) => Promise<readonly JournalEntry[]>
  /** Shares this thread among the accounts whose executions are read. */
  readonly processor: Processor
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Aborts when the server closes: whoever waits for an end is then answered at once. */
  readonly closing: AbortSignal
}

/** How an execution stands: where it has not ended, `output` and `error` are undefined. */
export type Outcome = NonNullable<Awaited<ReturnType<Engine['outcome']>>>

/** For how long somebody waits. */
export interface Patience {
  readonly waitMs: number
  /** Aborts when whoever waits has gone. */
  readonly signal: AbortSignal
}

/** How long the walk for one page may take, its computations in other threads included. */
const readMsMax = 20_000

export type Executions = ReturnType<typeof createExecutions>

/** Starts executions, waits for their ends, and tells what they did. */
export function createExecutions(deps: ExecutionsDeps) {
  const start = createStart(deps)

  /** How the execution stands when it has ended, or nobody waits for that any more. */
  async function outcomeWithin(accountId: string, started: Started, { waitMs, signal }: Patience): Promise<Outcome> {
    if (!started.replayed && isTerminal(started.snapshot.state)) return started.snapshot
    const { id } = started
    const now = await deps.engine.outcome(accountId, id, waitMs, AbortSignal.any([deps.closing, signal]))
    if (now === undefined) throw new Error(`execution ${id} was accepted and is not there`)
    return now
  }

  return {
    /** Starts an execution, and waits for its end if it is told how long. */
    async execute(accountId: string, command: StartCommand, patience: Patience | undefined) {
      const started = await start(accountId, command)
      if (patience !== undefined) await outcomeWithin(accountId, started, patience)
      const execution = await deps.readStarted({ accountId, id: started.id })
      if (execution === undefined) throw new Error(`execution ${started.id} was accepted and is not there`)
      return { execution, replayed: started.replayed }
    },

    /** Starts an execution and waits for its end. */
    async run(accountId: string, command: StartCommand, patience: Patience) {
      const started = await start(accountId, command)
      return { outcome: await outcomeWithin(accountId, started, patience), replayed: started.replayed }
    },

    async list(tx: Tx, accountId: string, workflowId: string, options: Omit<ListOptions, 'nowMs' | 'versionQuery'>) {
      await deps.assertWorkflow(tx, accountId, workflowId)
      return pageOfExecutions(tx, accountId, workflowId, { ...options, nowMs: deps.now(), versionQuery: deps.versionQuery })
    },

    /** Walks the journal, without a transaction that would wait for it. Fault `overloaded` when that takes too long. */
    async get(key: ExecutionKey, options: TimelineOptions, signal: AbortSignal): Promise<{ execution: Execution; timeline: Timeline }> {
      const { accountId } = key
      const execution = await deps.readStarted(key)
      if (execution === undefined) throw new Fault('not_found', { detail: 'There is no such execution.' })
      const { startedAt, versionId } = execution
      if (startedAt === undefined) return { execution, timeline: { entries: [], nextCursor: undefined } }
      const journal = await deps.readJournal(key)
      const workflow = await deps.loadWorkflow(accountId, versionId)
      const tooLong = AbortSignal.timeout(readMsMax)
      try {
        const source = { accountId, workflow, execution, startedAt, journal }
        return { execution, timeline: await readTimeline(deps.processor, source, options, AbortSignal.any([tooLong, signal])) }
      } catch (error) {
        if (!tooLong.aborted) throw error
        const detail = 'The tasks of this execution compute too much to be shown now. Ask for fewer entries, or try again later.'
        throw new Fault('overloaded', { detail, cause: error, retryAfterSeconds: 10 })
      }
    },
  }
}
