import { Fault } from '@millrace/contract'
import { type Engine, isTerminal, type Json, type RetryRequest } from '@millrace/engine'
import { toTypeId } from '#platform/ids.ts'
import type { ExecutionKey } from '@millrace/engine/storage'
import type { Execution } from './model.ts'
import { assertInput, type StartDeps } from './start.ts'
import type { Patience } from './service.ts'
import { createWaiting } from './waiting.ts'

export interface ControlDeps extends Pick<StartDeps, 'findTarget' | 'inputFaults'> {
  readonly engine: Pick<Engine, 'cancel' | 'suspend' | 'resume' | 'retry'>
  readonly readStarted: (key: ExecutionKey) => Promise<Execution | undefined>
  /** Aborts when the server closes: whoever waits is then answered at once. */
  readonly closing: AbortSignal
  readonly now: () => number
}

/** How an execution is to be retried. */
export interface RetryCommand {
  /** As `kind:id`. */
  readonly actor: string
  /** The input that it had unless given. */
  readonly input: Json | undefined
  /** The version that it ran unless given. */
  readonly version: number | 'latest' | undefined
}

export type Control = ReturnType<typeof createControl>

/** Gives the execution once what was done has come into effect, or as it is when nobody waits any more; at once when nobody does. */
export type Settle = (patience: Patience | undefined) => Promise<Execution>

/** An execution that goes on from another one. */
export interface Retried {
  readonly id: string
  /** Number of the version that it runs. */
  readonly version: number
  readonly settle: Settle
}

/** What is done to executions by hand: it is done when the promise resolves, and has come into effect when it has settled. */
export function createControl(deps: ControlDeps) {
  const { engine, readStarted } = deps
  const waiting = createWaiting(deps)

  async function standing(accountId: string, id: string): Promise<Execution> {
    const execution = await readStarted({ accountId, id })
    if (execution === undefined) throw unknown()
    return execution
  }

  function settling(accountId: string, id: string, done: (execution: Execution) => boolean): Settle {
    const read = () => standing(accountId, id)
    return (patience) => (patience === undefined ? read() : waiting(read, done, patience))
  }

  return {
    /** Faults: `not_found`, `execution_ended`. */
    async cancel(accountId: string, id: string): Promise<Settle> {
      const result = await engine.cancel(accountId, id)
      if (result === 'unknown') throw unknown()
      if (result === 'ended') throw refused('execution_ended', await standing(accountId, id), 'cannot be cancelled')
      return settling(accountId, id, ({ state }) => isTerminal(state))
    },

    /** Faults: `not_found`, `execution_ended`, `execution_suspended`. */
    async suspend(accountId: string, id: string): Promise<Settle> {
      const result = await engine.suspend(accountId, id)
      if (result === 'unknown') throw unknown()
      if (result === 'ended') throw refused('execution_ended', await standing(accountId, id), 'cannot be suspended')
      if (result === 'already') throw new Fault('execution_suspended', { extensions: { state: 'suspended' } })
      return settling(accountId, id, ({ state }) => state === 'suspended' || isTerminal(state))
    },

    /** Faults: `not_found`, `execution_ended`, `execution_not_suspended`. */
    async resume(accountId: string, id: string): Promise<Settle> {
      const result = await engine.resume(accountId, id)
      if (result === 'unknown') throw unknown()
      if (result === 'ended') throw refused('execution_ended', await standing(accountId, id), 'cannot be resumed')
      if (result === 'running')
        throw refused('execution_not_suspended', await standing(accountId, id), 'is not suspended, so it goes on anyhow')
      return settling(accountId, id, hasEndedOrAnswered)
    },

    /**
     * Gives the execution that goes on from the given one.
     *
     * Faults: `not_found`, `execution_not_ended`, `execution_completed`, `execution_retried`, `workflow_deleted`, `workflow_disabled`,
     * `input_invalid`.
     */
    async retry(accountId: string, id: string, command: RetryCommand): Promise<Retried> {
      const execution = await standing(accountId, id)
      // What does not depend on what is asked for is said first.
      if (!isTerminal(execution.state)) throw notEnded(execution)
      if (execution.state === 'completed') throw completed(execution)
      if (execution.retriedBy !== undefined) throw retried(execution, execution.retriedBy)
      const { version, request } = await planOf(deps, accountId, execution, command)
      const result = await engine.retry(accountId, id, request)
      switch (result.kind) {
        case 'started':
          return { id: result.id, version, settle: settling(accountId, result.id, hasEndedOrAnswered) }
        case 'retried':
          throw retried(execution, result.id)
        case 'unknown':
          throw unknown()
        case 'not_ended':
          throw notEnded(await standing(accountId, id))
        case 'completed':
          throw completed(execution)
      }
    },
  }
}

function hasEndedOrAnswered({ state, answer }: Execution): boolean {
  return isTerminal(state) || answer !== undefined
}

/** Nothing starts of a workflow that was disabled or deleted, not from its middle either. */
async function planOf(
  deps: ControlDeps,
  accountId: string,
  execution: Execution,
  { actor, input, version: wanted }: RetryCommand,
): Promise<{ readonly version: number; readonly request: RetryRequest }> {
  const number = wanted === 'latest' ? undefined : (wanted ?? execution.version)
  const target = await deps.findTarget({ accountId, workflowId: execution.workflowId, number })
  if (target === undefined) throw new Fault('workflow_deleted')
  if (!target.enabled) throw new Fault('workflow_disabled')
  const { version } = target
  if (version === undefined) throw new Fault('not_found', { detail: `The workflow has no version ${number}.` })
  const changed = version.id === execution.versionId ? {} : { versionId: version.id }
  const given = input === undefined ? {} : { input }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A `json` column holds nothing else.
  const used = input ?? (JSON.parse(execution.input) as Json)
  if ('input' in given || 'versionId' in changed) await assertInput(deps, accountId, version, used)
  return { version: version.number, request: { actor, ...given, ...changed } }
}

function unknown(): Fault {
  return new Fault('not_found', { detail: 'There is no such execution.' })
}

function refused(code: 'execution_ended' | 'execution_not_suspended', { id, state }: Execution, why: string): Fault {
  return new Fault(code, { detail: `The execution ${toTypeId('exec', id)} is ${state} and ${why}.`, extensions: { state } })
}

function notEnded({ id, state }: Execution): Fault {
  return new Fault('execution_not_ended', {
    detail: `The execution ${toTypeId('exec', id)} is ${state}: only one that has faulted or was cancelled can be retried.`,
    extensions: { state },
  })
}

function completed({ state }: Execution): Fault {
  return new Fault('execution_completed', { extensions: { state } })
}

function retried({ id, state }: Execution, by: string): Fault {
  const retriedBy = toTypeId('exec', by)
  return new Fault('execution_retried', {
    detail: `The execution ${toTypeId('exec', id)} was retried before: ${retriedBy} goes on from it. Retry that one, if it has failed too.`,
    extensions: { state, retriedBy },
  })
}
