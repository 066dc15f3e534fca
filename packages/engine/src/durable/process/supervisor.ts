import { setTimeout as pause } from 'node:timers/promises'
import type { EngineDeps, EngineOptions } from './engine-deps.ts'
import type { RunRegistry } from './run-registry.ts'
import type { Signal } from '#durable/ports/store.ts'

/** How often this process says that it lives. */
const HEARTBEAT_MS = 2_000
/** How often it looks for cancels and for children that ended elsewhere. */
const SIGNALS_MS = 300
/** How often it looks for executions of processes that are gone: their timers should not fire two seconds late. */
const RECOVER_MS = 1_000

/** Keeps this process known, hears what happens to its executions, and takes up those of processes that are gone. */
export interface Supervisor {
  start(): void
  stop(): Promise<void>
}

export function createSupervisor(deps: EngineDeps, runs: RunRegistry, options: EngineOptions): Supervisor {
  const { store, reporter } = deps
  const stopping = new AbortController()
  let loops: Promise<void>[] = []

  async function heartbeat(): Promise<void> {
    if (await store.heartbeat()) return
    reporter.warn('this process was given up; what it ran is run by others', { live: runs.size() })
    runs.dropAll()
    runs.takeLost()
    await store.register()
  }

  async function signals(): Promise<void> {
    const lost = runs.takeLost()
    if (lost.length > 0)
      await store.abandonClaims(lost).catch((error: unknown) => {
        runs.lose(lost)
        throw error
      })
    if (runs.size() === 0) return
    const heard: Signal[] = []
    for (const signal of await store.signals()) if (await actOn(signal)) heard.push(signal)
    await store.acknowledge(heard)
  }

  /** @returns whether the execution has taken it: one that is on its way to sleep, or to another process, has not, and must not sleep over it. */
  async function actOn({ id, cancel, suspend }: Signal): Promise<boolean> {
    if (!cancel && !suspend) return runs.refresh(id)
    return cancel ? runs.cancel(id) : runs.suspend(id)
  }

  async function recover(): Promise<void> {
    const { requeued, deadLettered } = await store.recover()
    if (requeued + deadLettered > 0) reporter.warn('executions of processes that are gone were taken up', { requeued, deadLettered })
  }

  async function repeat(everyMs: number, what: string, act: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      await act().catch((error: unknown) => reporter.warn(`${what} failed`, { error }))
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  return {
    start() {
      loops = [
        repeat(HEARTBEAT_MS, 'the heartbeat', heartbeat),
        repeat(SIGNALS_MS, 'the look for signals', signals),
        repeat(options.recoverMs ?? RECOVER_MS, 'the recovery', recover),
      ]
    },
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}
