import { isTerminal } from '#core/execution-state.ts'
import type { Json, JsonObject } from '#core/json.ts'
import { createAnnouncer } from '#durable/lifecycle-events.ts'
import { createRunRegistry } from './run-registry.ts'
import type { OutgoingMessage } from '#durable/ports/bus.ts'
import type { ExecutionSnapshot, ExecutionHead } from '#durable/ports/execution.ts'
import type { Store } from '#durable/ports/store.ts'
import type { Run } from '#durable/run/run.ts'
import type { EngineDeps, EngineOptions } from './engine-deps.ts'
import { withLabelsOfVersion } from '#durable/run/labels.ts'
import { acceptance } from '#durable/run/outbox.ts'
import { pause } from './pause.ts'
import { type RetryRequest, type RetryResult, retryExecution, verifyExecution } from '#durable/replay/retry.ts'
import { createSupervisor } from './supervisor.ts'
import type { Verdict } from '#durable/replay/verify.ts'
import { createWorker } from './worker.ts'

export interface StartRequest {
  /** A UUID of version 7, for a caller that has already recorded something under this id; a new one unless given. */
  readonly id?: string
  readonly accountId: string
  readonly workflowId: string
  readonly versionId: string
  /** What started it: `manual`, `webhook`, `schedule`, … */
  readonly trigger: string
  /** Who started it, as `kind:id`. */
  readonly actor: string
  readonly input: Json
  /** How many executions caused it, one after the other, such as by events; none unless given. */
  readonly depth?: number
  /** The execution whose end starts it. Its children and retries have the same cause. */
  readonly causedBy?: string | undefined
  /** The caller's key and a digest of its request: the same key starts nothing twice. */
  readonly idempotency?: { readonly key: string; readonly digest: string }
}

export type Started =
  /** A new execution. `head` is as stored; `snapshot` is of the commit that accepted it, with its result if it had ended by then. */
  | { readonly id: string; readonly replayed: false; readonly head: ExecutionHead; readonly snapshot: ExecutionSnapshot }
  /** An earlier request with the same idempotency key started it; nothing else of it is known here. */
  | { readonly id: string; readonly replayed: true }

export interface Engine {
  /**
   * Accepts an execution durably and, where this process has room, begins it. The result contains all that a reply to the caller
   * needs, without another query.
   * @throws IdempotencyConflict when an earlier request used the key with another digest.
   */
  start(request: StartRequest): Promise<Started>
  /**
   * Waits until the execution has ended or replied, `timeoutMs` has passed, or the signal aborts.
   * @returns undefined when the account has no such execution.
   */
  outcome(accountId: string, id: string, timeoutMs: number, signal?: AbortSignal): Promise<ExecutionSnapshot | undefined>
  cancel(accountId: string, id: string): ReturnType<Store['cancel']>
  suspend(accountId: string, id: string): ReturnType<Store['suspend']>
  resume(accountId: string, id: string): ReturnType<Store['resume']>
  /** Retries an execution that faulted or was cancelled: a new execution begins at the failed task and takes over the outcomes before it. */
  retry(accountId: string, id: string, request: RetryRequest): Promise<RetryResult>
  /** Replays an execution and compares. @returns the first difference; undefined when the account has no such execution. */
  verify(accountId: string, id: string): Promise<Verdict | undefined>
  /**
   * Puts complete CloudEvents on the bus of an account.
   * @param depth of the execution that sends them from outside of the engine; none unless given.
   * @returns how many are new, by source and id.
   */
  publish(accountId: string, events: readonly JsonObject[], depth?: number): Promise<number>
  /** Sends a message to a wait of an execution. @returns false when the wait is not open, or has a message already. */
  sendMessage(delivery: OutgoingMessage): Promise<boolean>
  /** The number of executions in memory. */
  live(): number
  /** Claims and runs executions, until closed. */
  work(): Promise<void>
  /** Claims nothing more, lets effects end until the deadline, and hands over the rest. */
  close(deadlineMs: number): Promise<void>
}

export class IdempotencyConflict extends Error {
  override readonly name = 'IdempotencyConflict'
}

/** How often an execution that runs elsewhere is polled. */
const POLL_MS = { first: 20, max: 500 } as const

export function createEngine(deps: EngineDeps, options: EngineOptions): Engine {
  const runs = createRunRegistry(deps, options)
  const worker = createWorker(deps, runs, options)
  const supervisor = createSupervisor(deps, runs, options)

  return {
    async start(request) {
      const head = headOf(deps, request)
      const run = runs.hasRoom() ? await runs.begin(head) : undefined
      if (run === undefined) return enqueue(deps, head)
      return (await run.accepted)
        ? { id: head.id, replayed: false, head: run.head, snapshot: run.snapshot() }
        : earlierExecution(deps, head)
    },

    async outcome(accountId, id, timeoutMs, signal = new AbortController().signal) {
      const deadlineMs = deps.now() + timeoutMs
      const run = runs.find(accountId, id)
      if (run !== undefined) {
        await untilEndOrReply(run, timeoutMs, signal)
        const snapshot = run.snapshot()
        if (hasResultOrReply(snapshot)) return snapshot
      }
      for (let pauseMs: number = POLL_MS.first; ; pauseMs = Math.min(pauseMs * 2, POLL_MS.max)) {
        const snapshot = await deps.store.find(accountId, id)
        const leftMs = deadlineMs - deps.now()
        if (snapshot === undefined || hasResultOrReply(snapshot) || leftMs <= 0 || signal.aborted) return snapshot
        await pause(Math.min(pauseMs, leftMs), signal)
      }
    },

    async cancel(accountId, id) {
      const result = await deps.store.cancel(accountId, id)
      if (result === 'requested') runs.cancel(id)
      return result
    },

    async suspend(accountId, id) {
      const result = await deps.store.suspend(accountId, id, await eventsOfChange(deps, accountId, id, 'suspended'))
      if (result === 'suspended') deps.bus.wake()
      if (result === 'requested') runs.suspend(id)
      return result
    },

    async resume(accountId, id) {
      const result = await deps.store.resume(accountId, id, await eventsOfChange(deps, accountId, id, 'resumed'))
      if (result === 'resumed') {
        worker.wake()
        deps.bus.wake()
      }
      return result
    },

    async retry(accountId, id, request) {
      const result = await retryExecution(deps, accountId, id, request)
      if (result.kind === 'started') {
        worker.wake()
        deps.bus.wake()
      }
      return result
    },
    verify: (accountId, id) => verifyExecution(deps, accountId, id),
    publish: (accountId, events, depth) => deps.bus.publish(accountId, events, depth),
    sendMessage: (delivery) => deps.bus.send(delivery),

    live: () => runs.size(),

    async work() {
      await deps.store.register()
      supervisor.start()
      deps.bus.start((ids) => {
        // Executions that are parked, or run elsewhere, have a job or a signal.
        for (const id of ids)
          runs.refresh(id).catch((error: unknown) => deps.reporter.warn('failed to read messages', { executionId: id, error }))
        worker.wake()
      })
      if (options.liveMax > 0) worker.start()
    },

    async close(deadlineMs) {
      // The first drain refuses new executions; the second one hands over what the worker had just claimed.
      const drained = runs.drain(deadlineMs)
      await worker.stop()
      await drained
      await runs.drain(deadlineMs)
      await supervisor.stop()
      await deps.bus.stop()
      await deps.store.unregister()
    },
  }
}

function headOf(deps: EngineDeps, request: StartRequest): ExecutionHead {
  return {
    id: request.id ?? deps.newId(),
    accountId: request.accountId,
    workflowId: request.workflowId,
    versionId: request.versionId,
    trigger: request.trigger,
    actor: request.actor,
    input: request.input,
    parentId: undefined,
    depth: request.depth ?? 0,
    causedBy: request.causedBy,
    createdAtMs: deps.now(),
    idempotency: request.idempotency,
  }
}

/** Lifecycle events of a change to an execution that no process runs. */
async function eventsOfChange(
  deps: EngineDeps,
  accountId: string,
  id: string,
  change: 'suspended' | 'resumed',
): Promise<readonly JsonObject[]> {
  if (deps.lifecycle?.hasSubscribers(accountId) !== true) return []
  const record = await deps.store.findRecord(accountId, id)
  if (record === undefined) return []
  const workflow = await deps.definitions.load(accountId, record.versionId)
  const announcer = createAnnouncer({ id, accountId, workflow }, deps.lifecycle)
  announcer?.enable()
  announcer?.workflow(change, deps.now())
  return announcer?.take() ?? []
}

async function enqueue(deps: EngineDeps, unlabelled: ExecutionHead): Promise<Started> {
  const head = await withLabelsOfVersion(deps, unlabelled)
  const { refused } = await deps.journal.write(acceptance(head))
  if (refused) return earlierExecution(deps, head)
  const { id } = head
  const rest = { startedAtMs: undefined, endedAtMs: undefined, output: undefined, error: undefined, reply: undefined }
  return { id, replayed: false, head, snapshot: { id, state: 'pending', ...rest } }
}

async function earlierExecution(deps: EngineDeps, head: ExecutionHead): Promise<Started> {
  const found = head.idempotency === undefined ? undefined : await deps.store.findByKey(head.accountId, head.idempotency.key)
  if (found === undefined) throw new Error(`execution ${head.id} was refused although no other execution has its idempotency key`)
  if (found.digest !== head.idempotency?.digest) throw new IdempotencyConflict('the idempotency key was used with another request before')
  return { id: found.id, replayed: true }
}

function hasResultOrReply({ state, reply }: ExecutionSnapshot): boolean {
  return isTerminal(state) || reply !== undefined
}

/** Resolves when a run of this process has ended or replied, when the time is over, or when the signal aborts. */
function untilEndOrReply(run: Run, timeoutMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(finish, timeoutMs).unref()
    function finish(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    signal.addEventListener('abort', finish, { once: true })
    void run.end.then(finish)
    void run.replied.then(finish)
  })
}
