import type { CompiledWorkflow } from '#core/node.ts'
import type { Lifecycle } from '#durable/lifecycle-events.ts'
import type { Engine } from '#durable/process/engine.ts'
import type { Boundary } from '#durable/ports/boundary.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'
import type { EngineDatabase } from './database.ts'
import { definitionsIn, openTestEngine } from './open-test-engine.ts'
import { newUuid } from './uuid.ts'

export interface EngineSettings {
  readonly workflows: Readonly<Record<string, CompiledWorkflow>>
  readonly functions?: Readonly<Record<string, EffectFunction>>
  readonly liveMax?: number
  readonly idleMs?: number | undefined
  /** Processes of another host cannot see whether this process lives. */
  readonly host?: string
  readonly pid?: number
  readonly boundary?: Boundary
  readonly lifecycle?: Lifecycle
}

/** The engine of one process. Several engines on one database represent several processes. */
export interface TestEngine {
  readonly engine: Engine
  readonly warnings: readonly string[]
  start(
    name: string,
    input?: Parameters<Engine['start']>[0]['input'],
    key?: { readonly key: string; readonly digest: string },
  ): ReturnType<Engine['start']>
  outcome(id: string, timeoutMs?: number): ReturnType<Engine['outcome']>
}

export const accountId = newUuid()
const ids = new Map<string, string>()

function idOf(name: string): string {
  const id = ids.get(name) ?? newUuid()
  ids.set(name, id)
  return id
}

export async function createTestEngine(
  database: EngineDatabase,
  { workflows, functions = {}, liveMax = 100, idleMs, ...process }: EngineSettings,
): Promise<TestEngine> {
  const warnings: string[] = []
  const versions = new Map(Object.entries(workflows).map(([name, workflow]) => [idOf(name), workflow]))
  const engine = await openTestEngine(
    database,
    {
      definitions: definitionsIn(versions, async (_accountId, { name }) =>
        Object.hasOwn(workflows, name) ? { workflowId: idOf(name), versionId: idOf(name) } : undefined,
      ),
      functions: new Map(Object.entries(functions)),
      reporter: { warn: (message) => void warnings.push(message) },
      ...process,
    },
    { liveMax, recoverMs: 100, ...(idleMs === undefined ? {} : { idleMs }) },
  )
  return {
    engine,
    warnings,
    start(name, input = {}, key) {
      const id = idOf(name)
      const idempotency = key === undefined ? {} : { idempotency: key }
      return engine.start({ accountId, workflowId: id, versionId: id, trigger: 'manual', actor: 'user:test', input, ...idempotency })
    },
    outcome: (id, timeoutMs = 180_000) => engine.outcome(accountId, id, timeoutMs),
  }
}
