/** Repeats a turn: at once if there is more to do or the loop was woken, otherwise after an idle time. */
export interface Loop {
  start(): void
  /** Starts a turn at once, or another one after the current turn. */
  wake(): void
  isStopped(): boolean
  /** Resolves after the current turn; no other turn begins. */
  stop(): Promise<void>
}

/**
 * @param turn does the work, and returns whether there may be more, or in how many milliseconds there will be. Its argument: whether the loop was woken.
 *   It must not throw.
 */
export function createLoop(idleMs: number, turn: (woken: boolean) => Promise<boolean | number>): Loop {
  let stopped = false
  let isWoken = false
  let endIdle: () => void = () => undefined
  let running: Promise<void> = Promise.resolve()

  function wake(): void {
    isWoken = true
    endIdle()
  }

  async function work(): Promise<void> {
    for (let woken = false; !stopped; woken = isWoken) {
      isWoken = false
      const more = await turn(woken)
      if (more !== true && !isWoken && !stopped) await idle(more === false ? idleMs : Math.min(more, idleMs))
    }
  }

  function idle(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
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
    isStopped: () => stopped,
    async stop() {
      stopped = true
      wake()
      await running
    },
  }
}
