import type { Observer } from '#core/observer.ts'

export interface FaultTrace extends Observer {
  /** The position of the task that raised the last error, and then those of the tasks around it that the error ended, inside out. */
  chain(): readonly string[]
  /** The positions of the tasks `try` in whose `catch` the last error was raised, inside out. */
  enteredTries(): readonly string[]
}

/** Observes where an error was raised and which tasks it ended. */
export function createFaultTrace(): FaultTrace {
  let chain: string[] = []
  const forget = () => {
    chain = []
  }
  return {
    chain: () => chain,
    enteredTries() {
      const [origin, ...around] = chain
      if (origin === undefined) return []
      return around.filter((position) => /^(?:!\d+)?\/catch\/do\//.test(origin.slice(position.length)))
    },
    skipped: forget,
    started: forget,
    completed: forget,
    faulted(position) {
      const inner = chain.at(-1)
      if (inner !== undefined && !inner.startsWith(`${position}/`) && !inner.startsWith(`${position}!`)) chain = []
      chain.push(position)
    },
  }
}
