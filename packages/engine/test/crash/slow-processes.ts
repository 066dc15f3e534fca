import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { workerEnvironment } from './worker-environment.ts'

const script = fileURLToPath(new URL('./slow-worker.ts', import.meta.url))

/** A fixed number of worker processes; each ended one is replaced. */
export interface SlowProcesses {
  /** Number of processes that ended by themselves. */
  readonly exits: number
  /** Resolves when the process in this place is ready. */
  ready(place: number): Promise<void>
  /** Kills the process in this place. Resolves when its successor has started. */
  kill(place: number): Promise<void>
  /** Stops the process in this place for `ms` and then continues it. */
  freeze(place: number, ms: number): Promise<void>
  close(): Promise<void>
}

export function openSlowProcesses(count: number, args: readonly string[]): SlowProcesses {
  const children: ChildProcess[] = []
  const ready = new Set<ChildProcess>()
  let closing = false
  let exits = 0

  function begin(place: number): void {
    const child = spawn(process.execPath, [script, ...args], { env: workerEnvironment(), stdio: ['ignore', 'pipe', 'ignore'] })
    children[place] = child
    child.stdout.once('data', () => ready.add(child))
    child.on('exit', (code) => {
      if (code !== null) exits += 1
      if (!closing) begin(place)
    })
  }

  for (let place = 0; place < count; place++) begin(place)
  return {
    get exits() {
      return exits
    },
    async ready(place) {
      // A process that ends before it is ready is replaced as well.
      for (let child = children[place]; child === undefined || !ready.has(child); child = children[place]) await pause(20)
    },
    async kill(place) {
      const child = children[place]
      if (child === undefined) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
    async freeze(place, ms) {
      const child = children[place]
      child?.kill('SIGSTOP')
      await pause(ms)
      child?.kill('SIGCONT')
    },
    async close() {
      closing = true
      await Promise.all(
        children.map((child) => {
          const exited = once(child, 'exit')
          child.kill('SIGKILL')
          return exited
        }),
      )
    },
  }
}
