import type { Observer } from '#core/observer.ts'

/** A task that faulted. */
export interface FaultedTask {
  readonly position: string
  readonly name: string
}

export interface FaultTrace extends Observer {
  /** The task that raised the last error, and then the tasks around it that the error ended, inside out. */
  chain(): readonly FaultedTask[]
  /** The tasks `try` in whose `catch` the last error was raised, inside out. */
  enteredTries(): readonly FaultedTask[]
}

/** Observes where an error was raised and which tasks it ended. */
export function createFaultTrace(): FaultTrace {
  let chain: FaultedTask[] = []
  const forget = () => {
    chain = []
  }
  return {
    chain: () => chain,
    enteredTries() {
      const [origin, ...around] = chain
      if (origin === undefined) return []
      return around.filter(({ position }) => /^(?:!\d+)?\/catch\/do\//.test(origin.position.slice(position.length)))
    },
    skipped: forget,
    started: forget,
    completed: forget,
    faulted(position, { name }) {
      const inner = chain.at(-1)
      if (inner !== undefined && !inner.position.startsWith(`${position}/`) && !inner.position.startsWith(`${position}!`)) chain = []
      chain.push({ position, name })
    },
  }
}
