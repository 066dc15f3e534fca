import type { ComputationOutcome } from '#core/computation.ts'
import type { Machine } from '#core/machine.ts'
import type { ComputeStall, Stall } from '#core/request.ts'
import type { ComputationEnd, Processor } from '#durable/ports/processor.ts'

/** A walk that can be interrupted: it yields the reason, and is resumed with the outcome of the computation, if that was the reason. */
export type Interruptible<T> = Generator<Stall, T, ComputationOutcome | undefined>

/** Resumes a machine after each stall, until it needs input from outside. */
export function* settle(machine: Machine): Interruptible<void> {
  for (let { stall } = machine; stall !== undefined; stall = machine.stall) machine.continueAfterStall(yield stall)
}

/** Walks to the end without interruption, for callers that do not share their thread. The walk must have been created without a turn. */
export function walkThrough<T>(walk: Interruptible<T>): T {
  const step = walk.next()
  if (step.done !== true) throw new Error('a walk without a turn was interrupted')
  return step.value
}

export interface TurnOptions {
  readonly processor: Processor
  readonly accountId: string
  readonly signal?: AbortSignal | undefined
  /** Called with a computation that ran out of time or memory, before the walk continues with its failure. */
  readonly onRanOut?: (stall: ComputeStall, end: ComputationEnd) => void
}

/** Walks to the end in the turns of an account. Long computations run in another thread. Rejects when the signal aborts. */
export async function walkInTurns<T>(walk: Interruptible<T>, { processor, accountId, signal, onRanOut }: TurnOptions): Promise<T> {
  try {
    let step = await processor.inTurn(accountId, () => walk.next(), signal)
    while (step.done !== true) {
      const { value: stall } = step
      const outcome = stall.kind === 'compute' ? await processor.compute(accountId, stall.computation, signal) : undefined
      if (stall.kind === 'compute' && outcome?.isJournalled === true) onRanOut?.(stall, outcome)
      step = await processor.inTurn(accountId, () => walk.next(outcome), signal)
    }
    return step.value
  } catch (error) {
    // Ends the unfinished walk, so that its generators can clean up. The call throws the same error.
    walk.throw(error)
    throw error
  }
}
