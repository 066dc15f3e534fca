import { Fault } from '@millrace/contract'
import { type Engine, isTerminal, type Json, type RetryRequest } from '@millrace/engine'
import type { ExecutionKey, StoredExecution } from '@millrace/engine/storage'
import { assertInput, type StartDeps } from '#modules/executions/start.ts'
import type { WaitOptions } from '#modules/executions/execution-service.ts'
import { toTypeId } from '#platform/ids.ts'
import { causedDepth } from '#platform/net/depth.ts'
import { createPoller } from './poll-until.ts'

export interface ControlDeps extends Pick<StartDeps, 'findTarget' | 'inputFaults' | 'admitInput' | 'withinQuota' | 'newId'> {
  readonly engine: Pick<Engine, 'cancel' | 'suspend' | 'resume' | 'retry'>
  readonly findExecution: (key: ExecutionKey) => Promise<StoredExecution | undefined>
  /** Aborts when the server closes: a request that waits then gets its response at once. */
  readonly closing: AbortSignal
  readonly now: () => number
}

/** How to retry an execution. */
export interface RetryCommand {
  /** As `kind:id`. */
  readonly actor: string
  /** The input of the retried execution unless given. */
  readonly input: Json | undefined
  /** The version of the retried execution unless given. */
  readonly version: number | 'latest' | undefined
}

export type Control = ReturnType<typeof createControl>

/** The execution once the request has taken effect, or as it is when the time to wait is over; without options as it is now. */
export type Settle = (options: WaitOptions | undefined) => Promise<StoredExecution>

/** An execution that continues another one. */
export interface Retried {
  readonly id: string
  /** Number of the version that it runs. */
  readonly version: number
  readonly settle: Settle
}

/**
 * Cancels, suspends, resumes and retries executions. A request is durable when its promise resolves, and has taken effect when `Settle`
 * resolves.
 */
export function createControl(deps: ControlDeps) {
  const { engine, findExecution } = deps
  const poll = createPoller(deps)

  async function read(accountId: string, id: string): Promise<StoredExecution> {
    const execution = await findExecution({ accountId, id })
    if (execution === undefined) throw notFound()
    return execution
  }

  function settleWhen(accountId: string, id: string, done: (execution: StoredExecution) => boolean): Settle {
    return (options) => (options === undefined ? read(accountId, id) : poll(() => read(accountId, id), done, options))
  }

  return {
    /** Faults: `not_found`, `execution_ended`. */
    async cancel(accountId: string, id: string): Promise<Settle> {
      const result = await engine.cancel(accountId, id)
      if (result === 'unknown') throw notFound()
      if (result === 'ended') throw refused('execution_ended', await read(accountId, id), 'cannot be cancelled')
      return settleWhen(accountId, id, ({ state }) => isTerminal(state))
    },

    /** Faults: `not_found`, `execution_ended`, `execution_suspended`. */
    async suspend(accountId: string, id: string): Promise<Settle> {
      const result = await engine.suspend(accountId, id)
      if (result === 'unknown') throw notFound()
      if (result === 'ended') throw refused('execution_ended', await read(accountId, id), 'cannot be suspended')
      if (result === 'already') throw new Fault('execution_suspended', { extensions: { state: 'suspended' } })
      return settleWhen(accountId, id, ({ state }) => state === 'suspended' || isTerminal(state))
    },

    /** Faults: `not_found`, `execution_ended`, `execution_not_suspended`. */
    async resume(accountId: string, id: string): Promise<Settle> {
      const result = await engine.resume(accountId, id)
      if (result === 'unknown') throw notFound()
      if (result === 'ended') throw refused('execution_ended', await read(accountId, id), 'cannot be resumed')
      if (result === 'running')
        throw refused('execution_not_suspended', await read(accountId, id), 'is not suspended; there is nothing to resume')
      return settleWhen(accountId, id, hasEndedOrReplied)
    },

    /**
     * Starts an execution that continues the given one from the task that failed.
     *
     * Faults: `not_found`, `execution_not_ended`, `execution_completed`, `execution_retried`, `workflow_deleted`, `workflow_disabled`,
     * `input_invalid`, `personal_data_blocked`, `quota_exceeded`.
     */
    async retry(accountId: string, id: string, command: RetryCommand): Promise<Retried> {
      const execution = await read(accountId, id)
      // Faults that do not depend on the command come first.
      if (!isTerminal(execution.state)) throw notEnded(execution)
      if (execution.state === 'completed') throw completed(execution)
      if (execution.retriedBy !== undefined) throw retried(execution, execution.retriedBy)
      const { version, request } = await retryRequestOf(deps, accountId, execution, command)
      const versionId = request.versionId ?? execution.versionId
      const result = await deps.withinQuota(accountId, versionId, () => engine.retry(accountId, id, request))
      switch (result.kind) {
        case 'started':
          return { id: result.id, version, settle: settleWhen(accountId, result.id, hasEndedOrReplied) }
        case 'retried':
          throw retried(execution, result.id)
        case 'unknown':
          throw notFound()
        case 'not_ended':
          throw notEnded(await read(accountId, id))
        case 'completed':
          throw completed(execution)
      }
    },
  }
}

function hasEndedOrReplied({ state, reply }: StoredExecution): boolean {
  return isTerminal(state) || reply !== undefined
}

/** A workflow that was disabled or deleted starts nothing, a retry included. */
async function retryRequestOf(
  deps: ControlDeps,
  accountId: string,
  execution: StoredExecution,
  { actor, input, version: wanted }: RetryCommand,
): Promise<{ readonly version: number; readonly request: RetryRequest }> {
  const number = wanted === 'latest' ? undefined : (wanted ?? execution.version)
  const workflow = await deps.findTarget({ accountId, workflowId: execution.workflowId, number })
  if (workflow === undefined) throw new Fault('workflow_deleted')
  if (!workflow.enabled) throw new Fault('workflow_disabled')
  const { version } = workflow
  if (version === undefined) throw new Fault('not_found', { detail: `The workflow has no version ${number}.` })
  const id = deps.newId()
  const changed = version.id === execution.versionId ? {} : { versionId: version.id }
  const request = { id, actor, depth: causedDepth(), ...changed }
  if (input === undefined) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A `json` column contains only JSON.
    if ('versionId' in changed) await assertInput(deps, accountId, version, JSON.parse(execution.input) as Json)
    return { version: version.number, request }
  }
  await assertInput(deps, accountId, version, input)
  const target = `execution:${toTypeId('exec', id)}`
  const admitted = await deps.admitInput({ accountId, workflowId: execution.workflowId, input, actor, target })
  return { version: version.number, request: { ...request, input: admitted } }
}

function notFound(): Fault {
  return new Fault('not_found', { detail: 'There is no such execution.' })
}

function refused(code: 'execution_ended' | 'execution_not_suspended', { id, state }: StoredExecution, why: string): Fault {
  return new Fault(code, { detail: `The execution ${toTypeId('exec', id)} is ${state} and ${why}.`, extensions: { state } })
}

function notEnded({ id, state }: StoredExecution): Fault {
  return new Fault('execution_not_ended', {
    detail: `The execution ${toTypeId('exec', id)} is ${state}: only one that has faulted or was cancelled can be retried.`,
    extensions: { state },
  })
}

function completed({ state }: StoredExecution): Fault {
  return new Fault('execution_completed', { extensions: { state } })
}

function retried({ id, state }: StoredExecution, by: string): Fault {
  const retriedBy = toTypeId('exec', by)
  return new Fault('execution_retried', {
    detail: `The execution ${toTypeId('exec', id)} was retried already: ${retriedBy} continues it. Retry that one if it has failed too.`,
    extensions: { state, retriedBy },
  })
}
