import { isTerminal } from '#core/execution-state.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import { ownProcessor } from '#durable/ports/processor.ts'
import type { ClaimedExecution } from '#durable/ports/store.ts'
import { withLabels } from '#durable/run/labels.ts'
import { createPerformer } from '#durable/run/performer.ts'
import type { Run, RunStart } from '#durable/run/run.ts'
import { outcomeOfChild, type RunEnd } from '#durable/run/run-end.ts'
import { startRun } from '#durable/run/start-run.ts'
import type { EngineDeps, EngineOptions } from './engine-deps.ts'
import { createRunPreparation } from './prepare-run.ts'
import { SlotMap } from './slot-map.ts'

/** The executions that this process runs at this moment. */
export interface RunRegistry {
  size(): number
  hasRoom(): boolean
  /**
   * Runs an execution that is not in the database yet.
   * @returns undefined for one that may have to wait for its turn, and if this process closes: it is claimed from the queue.
   */
  begin(head: ExecutionHead): Promise<Run | undefined>
  /** Changes when this process is fenced: others run what it claimed before. */
  lease(): number
  /**
   * Runs an execution that this process has claimed.
   * @param lease the one of its claim; the current one unless given.
   * @returns undefined if this process has been fenced since, or closes: then `drain` hands the execution over. Undefined too if the execution waits
   *   for its turn.
   */
  resume(claimed: ClaimedExecution, lease?: number): Promise<Run | undefined>
  /** The run of an execution, while this process runs it. */
  find(accountId: string, id: string): Run | undefined
  /** @returns false if no run accepts it: a run that is about to leave this process accepts no inputs. */
  cancel(id: string): boolean
  suspend(id: string): boolean
  /** Reads the messages to a run and the results of its children. @returns false if no run accepts them. */
  refresh(id: string): Promise<boolean>
  hasLost(): boolean
  /**
   * Returns and forgets the lost executions: this process does not know their state in the database, so they must be recovered. Not those that it has
   * claimed again since, which their last write had released.
   */
  takeLost(): readonly string[]
  /** Adds lost executions. */
  addLost(ids: readonly string[]): void
  /** Runs `act` after all earlier ones: a claim that is made while claims of lost executions are abandoned would be abandoned with them. */
  exclusively<T>(act: () => Promise<T>): Promise<T>
  /** Ends all runs, and forgets the lost executions: this process is fenced, and others run its executions. */
  dropAll(): void
  /** Ends all runs by the deadline. Effects may finish until shortly before it; then the remaining executions are handed over. */
  drain(deadlineMs: number): Promise<void>
}

/** Executions that wait longer than this are parked. */
const PARK_AFTER_MS = 1_000
/** Time reserved before the deadline of a drain to hand over the remaining executions. */
const DRAIN_RESERVE_MS = 2_000

export function createRunRegistry(deps: EngineDeps, options: EngineOptions): RunRegistry {
  const fenced = new Error('this process is fenced')
  const { store, turns, definitions, reporter, now, processor = ownProcessor, boundary = () => undefined } = deps
  const preparation = createRunPreparation(deps, options)
  const runs = new SlotMap<Run>()
  let lost: string[] = []
  let lease = 0
  let draining = false
  /** Executions whose journals are being replayed, to become runs. */
  let replaying = 0
  /** Executions with a turn, of workflows that limit how many run at once, while they are replayed or run. */
  const limited = new Set<string>()
  /** Promises of runs, by execution. */
  const resuming = new Map<Promise<unknown>, string>()
  let exclusive: Promise<unknown> = Promise.resolve()
  const closing = new AbortController()

  const performer = createPerformer({
    ...deps,
    hasRoom,
    childAccepted(child, startedAtMs) {
      const claimed = { head: child, startedAtMs, cancelRequested: false, suspendRequested: false, entries: [], messages: [] }
      resume(claimed).catch((error: unknown) => {
        reporter.warn('child execution failed to start', { executionId: child.id, error })
        lost.push(child.id)
      })
    },
  })

  function size(): number {
    return runs.size + replaying
  }

  function hasRoom(): boolean {
    return !draining && size() < options.liveMax
  }

  function begin(start: RunStart): Run {
    const run = startRun({ ...deps, performer, processor, boundary, parkAfterMs: PARK_AFTER_MS }, start)
    runs.set(run.head.id, run)
    void run.end.then((end) => remove(run, end))
    return run
  }

  function remove({ head }: Run, end: RunEnd): void {
    runs.delete(head.id)
    if (limited.delete(head.id) && end.kind === 'ended')
      turns.end(head).catch((error: unknown) => reporter.warn('a turn is passed on later', { executionId: head.id, error }))
    // What a fenced process ran is recovered already, and this process may have claimed it anew. The reason is logged once for all.
    if (end.kind === 'lost' && end.cause !== fenced) {
      lost.push(head.id, ...end.children)
      reporter.warn('commit outcome unknown; execution will be recovered', { executionId: head.id, error: end.cause })
    }
    if (end.kind === 'ended' && head.parentId !== undefined) runs.get(head.parentId)?.childEnded(head.id, outcomeOfChild(end))
  }

  function resume(claimed: ClaimedExecution, claimedIn = lease): Promise<Run | undefined> {
    const resumed = resumeIn(claimed, claimedIn).finally(() => resuming.delete(resumed))
    resuming.set(resumed, claimed.head.id)
    return resumed
  }

  async function resumeIn(claimed: ClaimedExecution, claimedIn: number): Promise<Run | undefined> {
    replaying += 1
    try {
      const start = await startInTurn(claimed).finally(() => {
        replaying -= 1
      })
      if (start !== undefined && claimedIn === lease) return await beginClaimed(start)
      forgetTurn(claimed.head)
      return undefined
    } catch (error) {
      forgetTurn(claimed.head)
      if (claimedIn !== lease) return undefined
      if (!draining) throw error
      lost.push(claimed.head.id)
      return undefined
    }
  }

  /** Of an execution that does not become a run of this process: the one that runs it ends its turn. */
  function forgetTurn({ id }: ExecutionHead): void {
    if (runs.get(id) === undefined) limited.delete(id)
  }

  /** @returns undefined for an execution that must wait for its turn: another claim follows then. */
  async function startInTurn(claimed: ClaimedExecution): Promise<RunStart | undefined> {
    const { head, cancelRequested, suspendRequested, entries } = claimed
    const workflow = await definitions.load(head.accountId, head.versionId)
    const { concurrency: max } = workflow
    if (max !== undefined) {
      // One that a person stops waits for nothing.
      if (!cancelRequested && !suspendRequested && !(await turns.take({ head, max, hasBegun: entries.length > 0 }))) return undefined
      limited.add(head.id)
    }
    return preparation.startClaimed(claimed, workflow, closing.signal)
  }

  async function beginClaimed(start: RunStart): Promise<Run> {
    const run = begin({ ...start, isBehind: true })
    // This process had no run yet for the signals that arrived since the claim.
    await catchUp(run).catch((error: unknown) => {
      run.drop(error)
      throw error
    })
    run.markCaughtUp()
    if (draining) run.release(false)
    return run
  }

  /** Reads the messages to the waits of a run, and the results of its children. */
  async function catchUp(run: Run): Promise<boolean> {
    const messages = run.hasWaits() ? await store.messages(run.head.id) : []
    if (!run.isRunning) return false
    run.receive(messages)
    const childIds = run.children()
    const outcomes = childIds.length === 0 ? [] : await store.findSnapshots(childIds)
    for (const outcome of outcomes) {
      if (!run.isRunning) return false
      if (isTerminal(outcome.state)) run.childEnded(outcome.id, outcomeOfChild(outcome))
    }
    // A run that was parked meanwhile may not have accepted all of them.
    return run.isRunning || run.ended?.kind === 'ended'
  }

  function runningRun(id: string): Run | undefined {
    const run = runs.get(id)
    return run?.isRunning === true ? run : undefined
  }

  return {
    size,
    hasRoom,
    async begin(head) {
      const workflow = await definitions.load(head.accountId, head.versionId)
      if (workflow.concurrency !== undefined) return undefined
      const prepared = await preparation.prepare(head, workflow)
      const labelled = workflow.labels === undefined ? head : await withLabels(deps, head, workflow)
      if (draining) return undefined
      return begin(preparation.startNew(labelled, prepared))
    },
    lease: () => lease,
    resume,
    find(accountId, id) {
      const run = runs.get(id)
      return run?.head.accountId === accountId ? run : undefined
    },
    cancel(id) {
      const run = runningRun(id)
      run?.cancel()
      return run !== undefined
    },
    suspend(id) {
      const run = runningRun(id)
      run?.suspend()
      return run !== undefined
    },
    async refresh(id) {
      const run = runningRun(id)
      return run !== undefined && (await catchUp(run))
    },
    hasLost: () => lost.length > 0,
    takeLost() {
      const claimedAgain = new Set(resuming.values())
      const ids = lost.filter((id) => runs.get(id) === undefined && !claimedAgain.has(id))
      lost = []
      return ids
    },
    exclusively(act) {
      const acted = exclusive.then(act)
      exclusive = acted.catch(() => undefined)
      return acted
    },
    addLost: (ids) => void lost.push(...ids),
    dropAll() {
      lease += 1
      lost = []
      for (const run of runs.values()) run.drop(fenced)
    },
    async drain(deadlineMs) {
      draining = true
      closing.abort(new Error('the process closes'))
      // What is being resumed becomes a run, which is released, or lost.
      const endOfAll = async () => {
        await Promise.allSettled(resuming.keys())
        await Promise.all([...runs.values()].map(({ end }) => end))
      }
      for (const run of runs.values()) run.release(false)
      await Promise.race([endOfAll(), after(Math.max(0, deadlineMs - now() - DRAIN_RESERVE_MS))])
      for (const run of runs.values()) run.release(true)
      await Promise.race([endOfAll(), after(DRAIN_RESERVE_MS)])
      const remaining = [...runs.keys(), ...lost]
      if (remaining.length > 0) await store.release(remaining)
    },
  }
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref())
}
