/** Repeats a turn: at once while there is more to do or it is woken, otherwise after an idle time. */
export interface Loop {
  start(): void
  /** There is something to do. A call during a turn causes another turn. */
  wake(): void
  readonly stopped: boolean
  /** Resolves when the turn that is under way is over; no other begins. */
  stop(): Promise<void>
}

/**
 * @param turn does what there is to do; its argument is whether the loop was woken for it. It must not throw.
 * @returns whether there may be more.
 */
export function createLoop(idleMs: number, turn: (woken: boolean) => Promise<boolean>): Loop {
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
      if (!more && !isWoken && !stopped) await idle()
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
