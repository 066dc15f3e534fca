import type { Machine } from '#core/machine.ts'
import type { ComputeStall } from '#core/request.ts'
import { ThreadPoolError } from '#threads/thread-pool.ts'
import type { ComputationEnd, Processor } from '#durable/ports/processor.ts'

export interface MoverDeps {
  readonly machine: Machine
  readonly processor: Processor
  readonly accountId: string
  /** The machine has moved and stands where something has to come from outside. */
  readonly onMoved: () => void
  /** The machine stands still for a computation, which may take long. */
  readonly onComputing: () => void
  /** A computation ran out of time or memory. */
  readonly onRanOut: (stall: ComputeStall, end: ComputationEnd) => void
  /** A move has thrown: a bug. */
  readonly onBug: (cause: unknown) => void
}

/** Moves a machine by one input after another, in the turns of its account. Inputs that come while it stands still wait. */
export interface Mover {
  post(move: () => void): void
  /** Whether inputs wait for the machine. */
  hasInputs(): boolean
  /** Whether no input waits and the machine does not stand still. */
  isQuiet(): boolean
  /** Nothing moves from here on; a computation is stopped. */
  stop(): void
}

export function createMover({ machine, processor, accountId, onMoved, onComputing, onRanOut, onBug }: MoverDeps): Mover {
  const inputs: (() => void)[] = []
  let isBusy = false
  let isStopped = false
  let computing: AbortController | undefined

  /** Moves while there is something that moves it, and time. */
  function drain(): void {
    isBusy = true
    while (!isStopped && machine.stall === undefined) {
      const [input] = inputs
      if (input === undefined) {
        isBusy = false
        return
      }
      if (processor.turn?.mayBegin() === false) return processor.schedule(accountId, drain)
      inputs.shift()
      move(input)
    }
    if (!isStopped) waitForStall()
  }

  function move(act: () => void): void {
    try {
      act()
      if (!isStopped && machine.stall === undefined) onMoved()
    } catch (cause) {
      onBug(cause)
    }
  }

  function waitForStall(): void {
    const { stall } = machine
    if (stall?.kind !== 'compute') return resume(undefined)
    computing = new AbortController()
    onComputing()
    processor
      .compute(accountId, stall.computation, computing.signal)
      .then(
        (end) => {
          if (isStopped) return
          if (end.isJournalled === true) onRanOut(stall, end)
          if (!isStopped) resume(end)
        },
        (cause: unknown) => {
          // When the process closes, the execution is handed over as it stands.
          if (!isStopped && !(cause instanceof ThreadPoolError && cause.kind === 'closed')) onBug(cause)
        },
      )
      .catch(onBug)
  }

  function resume(end: ComputationEnd | undefined): void {
    processor.schedule(accountId, () => {
      if (isStopped) return
      move(() => machine.resume(end))
      drain()
    })
  }

  return {
    post(input) {
      inputs.push(input)
      if (!isBusy && !isStopped) drain()
    },
    hasInputs: () => inputs.length > 0,
    isQuiet: () => inputs.length === 0 && machine.stall === undefined,
    stop() {
      isStopped = true
      inputs.length = 0
      computing?.abort()
    },
  }
}
