import { spawn } from 'node:child_process'
import { isProcessAlive } from '#platform/process-liveness.ts'

export interface SuperviseOptions {
  readonly pid: number
  /** Starts PostgreSQL again and returns its new process id. */
  readonly restart: () => Promise<number>
  /** Called after every unexpected end of PostgreSQL, and after every restart that failed. */
  readonly onError: (error: Error) => void
}

/** Restarts PostgreSQL when it ends unexpectedly. */
export interface Supervisor {
  readonly pid: number
  /** Stops supervising and leaves PostgreSQL running; resolves once no restart is in progress. */
  stop(): Promise<void>
}

const checkMs = 250
const checkMsMax = 30_000

/**
 * Checks PostgreSQL periodically and starts it again when it has ended unexpectedly (killed by the kernel for lack of memory, for example).
 * PostgreSQL recovers committed data from its write-ahead log, and the connection pools reconnect. Failed restarts are retried with backoff.
 */
export function supervise(options: SuperviseOptions): Supervisor {
  let { pid } = options
  let restarting: Promise<void> | undefined
  let delayMs = checkMs
  let timer: NodeJS.Timeout | undefined
  const check = () => {
    if (isProcessAlive(pid)) schedule()
    else restarting = restart()
  }
  const schedule = () => {
    timer = setTimeout(check, delayMs).unref()
  }
  const restart = async () => {
    try {
      const endedPid = pid
      pid = await options.restart()
      delayMs = checkMs
      options.onError(new Error(`The built-in PostgreSQL (process ${endedPid}) ended unexpectedly and was restarted (process ${pid})`))
    } catch (cause) {
      delayMs = Math.min(delayMs * 2, checkMsMax)
      options.onError(new Error('The built-in PostgreSQL ended unexpectedly and could not be restarted', { cause }))
    }
    restarting = undefined
    if (timer !== undefined) schedule()
  }
  schedule()
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

export interface WatchdogOptions {
  /** Process id of PostgreSQL. */
  readonly pid: number
  readonly dataDirectory: string
  /** How long a successor of this process has to adopt PostgreSQL. */
  readonly graceSeconds: number
  /** PostgreSQL is left running if this file no longer contains this token after the grace period: a successor has adopted it. */
  readonly owner?: { readonly file: string; readonly token: string }
  /** A directory that is removed once PostgreSQL has ended. */
  readonly remove?: string
}

// `cat` returns when our end of the pipe closes, which happens even when we are killed by SIGKILL. Owner and process id are checked again
// immediately before the signal is sent.
const script = `
cat >/dev/null
sleep "$2"
if [ -n "$4" ] && ! grep -q -F "$5" "$4" 2>/dev/null; then exit 0; fi
read -r pid <"$3/postmaster.pid" 2>/dev/null
if [ "$pid" = "$1" ]; then kill -INT "$1" 2>/dev/null; fi
if [ -n "$6" ]; then
  i=0
  while kill -0 "$1" 2>/dev/null && [ $i -lt 100 ]; do sleep 0.1; i=$((i + 1)); done
  rm -rf "$6"
fi
`

/**
 * Starts a small shell that stops PostgreSQL after this process was killed, unless a successor adopts PostgreSQL in time. Returns a function
 * that ends the shell. On systems without a shell PostgreSQL keeps running until the next start adopts it.
 */
export function startWatchdog(options: WatchdogOptions): () => void {
  const { pid, dataDirectory, graceSeconds, owner, remove } = options
  const args = [String(pid), String(graceSeconds), dataDirectory, owner?.file ?? '', owner?.token ?? '', remove ?? '']
  const shell = spawn('/bin/sh', ['-c', script, 'millrace-watchdog', ...args], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  // The pipe must not keep this process alive. The declared type is that of any stream; in fact it is a socket, which has `unref`.
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
  return () => {
    if (shell.pid === undefined) return
    try {
      // The whole process group: the shell waits for a child of its own.
      process.kill(-shell.pid, 'SIGKILL')
    } catch {
      // The shell has ended already.
    }
  }
}
