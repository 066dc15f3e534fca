import { type ErrorData, standardError, WorkflowError } from '#core/error.ts'
import { createMachine, type Machine } from '#core/machine.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Observer } from '#core/observer.ts'
import type { Turn } from '#core/work.ts'
import type { ExecutionInfo } from '#core/scope.ts'
import { NOT_STORABLE, UnwritableError } from '#durable/ports/journal.ts'
import type { Reporter } from '#durable/ports/reporter.ts'

/** Creates the machine of a new execution. After a bug in the first step it returns a faulted machine. */
export function beginMachine(
  workflow: CompiledWorkflow,
  execution: ExecutionInfo,
  reporter: Reporter,
  observer?: Observer,
  turn?: Turn,
): Machine {
  try {
    return createMachine(workflow, execution, observer, { turn })
  } catch (cause) {
    reporter.warn('an execution faulted because of a bug', { executionId: execution.id, error: cause })
    return faultedMachine(execution, internalError(cause))
  }
}

/** A machine that has ended with `error`, without requests. */
export function faultedMachine(execution: ExecutionInfo, error: ErrorData): Machine {
  const ending = { ok: false, error, decisions: '' } as const
  const pending = new Map()
  return {
    execution,
    pending,
    ending,
    paused: false,
    pauses: 0,
    stall: undefined,
    continueAfterStall() {},
    continueAfterPause() {},
    resolve() {},
    changes: () => ({ opened: [], abandoned: [], closed: [] }),
  }
}

/** Converts a bug into the fault of its execution. The message of a bug may contain secrets, so the fault has a fixed text. */
export function internalError(cause: unknown): ErrorData {
  if (cause instanceof WorkflowError) return cause.data
  if (cause instanceof UnwritableError) return { ...standardError('runtime', cause.message).data, title: NOT_STORABLE }
  return standardError('runtime', cause instanceof RangeError ? 'the definition nests too deeply' : 'an internal error of the engine').data
}
