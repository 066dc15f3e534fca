/** Does something again and again: at once while there is more to do or somebody calls for it, otherwise after a while. */
export interface Loop {
  start(): void
  /** There is something to do. What comes during a turn may have come too late for it, and makes another one. */
  wake(): void
  readonly stopped: boolean
  /** Resolves when the turn that is under way is over; no other begins. */
  stop(): Promise<void>
}

/**
 * @param turn does what there is to do; it is told whether somebody called for it. It must not throw.
 * @returns whether there may be more.
 */
export function createLoop(idleMs: number, turn: (called: boolean) => Promise<boolean>): Loop {
  let stopped = false
  let nudged = false
  let endIdle: () => void = () => undefined
  let running: Promise<void> = Promise.resolve()

  function wake(): void {
    nudged = true
    endIdle()
  }

  async function work(): Promise<void> {
    for (let called = false; !stopped; called = nudged) {
      nudged = false
      const more = await turn(called)
      if (!more && !nudged && !stopped) await idle()
    }
  }

  function idle(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, idleMs)
      endIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    start() {
      running = work()
    },
    wake,
    get stopped() {
      return stopped
    },
    async stop() {
      stopped = true
      wake()
      await running
    },
  }
}
