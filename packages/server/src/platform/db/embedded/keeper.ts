import { isAlive } from './postmaster-file.ts'

export interface KeeperOptions {
  readonly pid: number
  /** Starts PostgreSQL again and gives its new process id. */
  readonly restart: () => Promise<number>
  /** Told of every end that nobody asked for, and of every restart that failed. */
  readonly onError: (error: Error) => void
}

/** Keeps PostgreSQL running. */
export interface Keeper {
  readonly pid: number
  /** Ends the keeping, not PostgreSQL; resolves once no restart is under way. */
  stop(): Promise<void>
}

const lookMs = 250
const pauseMsMax = 30_000

/**
 * Looks after a PostgreSQL: when it ends without being asked (killed for want of memory, say), it is started again, and the pools
 * connect anew by themselves. What was committed is recovered from its log. A restart that fails is tried again, ever more rarely.
 */
export function keep(options: KeeperOptions): Keeper {
  let { pid } = options
  let restarting: Promise<void> | undefined
  let pauseMs = lookMs
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    if (!isAlive(pid)) restarting = restart()
    else next()
  }
  const next = () => {
    timer = setTimeout(look, pauseMs).unref()
  }
  const restart = async () => {
    try {
      const ended = pid
      pid = await options.restart()
      pauseMs = lookMs
      options.onError(new Error(`The built-in PostgreSQL (process ${ended}) ended by itself and was started again (process ${pid})`))
    } catch (cause) {
      pauseMs = Math.min(pauseMs * 2, pauseMsMax)
      options.onError(new Error('The built-in PostgreSQL ended by itself and could not be started again', { cause }))
    }
    restarting = undefined
    if (timer !== undefined) next()
  }
  next()
  return {
    get pid() {
      return pid
    },
    async stop() {
      clearTimeout(timer)
      timer = undefined
      await restarting
    },
  }
}
