import { setTimeout as pause } from 'node:timers/promises'
import type { EngineDeps, EngineOptions } from './engine-deps.ts'
import type { RunRegistry } from './run-registry.ts'
import { createAnnouncer, faultOf } from '#durable/lifecycle-events.ts'
import type { JsonObject } from '#core/json.ts'
import type { DeadExecution, Signal } from '#durable/ports/store.ts'

/** How often the lease of this process is renewed. */
const HEARTBEAT_MS = 2_000
/** How often signals are polled: cancels, suspends, and children that ended elsewhere. */
const SIGNALS_MS = 300
/** How often executions of dead processes are recovered: their timers should not fire two seconds late. */
const RECOVER_MS = 1_000

/** Renews the lease of this process, acts on the signals of its executions, and recovers executions of dead processes. */
export interface Supervisor {
  start(): void
  stop(): Promise<void>
}

export function createSupervisor(deps: EngineDeps, runs: RunRegistry, options: EngineOptions): Supervisor {
  const { store, reporter, lifecycle, turns } = deps
  const stopping = new AbortController()
  let loops: Promise<void>[] = []

  async function heartbeat(): Promise<void> {
    if (await store.heartbeat()) return
    reporter.warn('process fenced; its executions were reassigned', { live: runs.size() })
    runs.dropAll()
    await store.register()
  }

  async function abandonLost(): Promise<void> {
    const lost = runs.takeLost()
    if (lost.length === 0) return
    await store.abandonClaims(lost).catch((error: unknown) => {
      runs.addLost(lost)
      throw error
    })
  }

  async function signals(): Promise<void> {
    if (runs.hasLost()) await runs.exclusively(abandonLost)
    if (runs.size() === 0) return
    const applied: Signal[] = []
    for (const signal of await store.signals()) if (await actOn(signal)) applied.push(signal)
    await store.acknowledge(applied)
  }

  /** @returns false when the run is about to leave this process: the signal stays, so that it is not lost. */
  async function actOn({ id, cancel, suspend }: Signal): Promise<boolean> {
    if (!cancel && !suspend) return runs.refresh(id)
    return cancel ? runs.cancel(id) : runs.suspend(id)
  }

  async function recover(): Promise<void> {
    const { requeued, deadLettered } = await store.recover(eventsOfDead)
    if (deadLettered > 0) deps.bus.wake()
    if (requeued + deadLettered > 0) reporter.warn('executions of dead processes were recovered', { requeued, deadLettered })
    await turns.passAbandoned()
  }

  /** The end of the execution. Its tasks have no events: to walk it, or to compile its definition, may be what ended its processes. */
  async function eventsOfDead({ id, accountId, versionId, error }: DeadExecution): Promise<readonly JsonObject[]> {
    if (lifecycle?.hasSubscribers(accountId) !== true) return []
    try {
      const document = await lifecycle.documentOf(accountId, versionId)
      const announcer = createAnnouncer({ id, accountId, workflow: { document } }, lifecycle)
      announcer?.enable()
      announcer?.workflow('faulted', deps.now(), faultOf(error))
      return announcer?.take() ?? []
    } catch (cause) {
      reporter.warn('the event of a dead letter could not be made', { executionId: id, error: cause })
      return []
    }
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
        repeat(HEARTBEAT_MS, 'heartbeat', heartbeat),
        repeat(SIGNALS_MS, 'polling of signals', signals),
        repeat(options.recoverMs ?? RECOVER_MS, 'recovery', recover),
      ]
    },
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}
