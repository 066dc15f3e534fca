import { hostname } from 'node:os'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Lifecycle } from '#durable/announcer.ts'
import type { Engine } from '#durable/engine.ts'
import type { Boundary, EffectFunction } from '#durable/ports.ts'
import { openEngine } from '#postgres/open-engine.ts'
import type { EngineDatabase } from './database.ts'
import { newUuid } from './uuid.ts'

export interface EngineSettings {
  readonly workflows: Readonly<Record<string, CompiledWorkflow>>
  readonly functions?: Readonly<Record<string, EffectFunction>>
  readonly liveMax?: number
  /** Another host cannot see that this one's process lives. */
  readonly host?: string
  readonly pid?: number
  readonly boundary?: Boundary
  readonly lifecycle?: Lifecycle
}

/** An engine as a process would have it; several on one database stand for several processes. */
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
/** Every fake process has a pid of its own that no real one has. */
let pids = 4_200_000

function idOf(name: string): string {
  const id = ids.get(name) ?? newUuid()
  ids.set(name, id)
  return id
}

export async function createTestEngine({ pool, boss }: EngineDatabase, settings: EngineSettings): Promise<TestEngine> {
  const warnings: string[] = []
  const byId = new Map(Object.entries(settings.workflows).map(([name, workflow]) => [idOf(name), workflow]))
  const engine = await openEngine(
    {
      pool,
      boss,
      definitions: {
        async load(_accountId, versionId) {
          const workflow = byId.get(versionId)
          if (workflow === undefined) throw new Error(`no version ${versionId}`)
          return workflow
        },
        resolve: async (_accountId, { name }) =>
          Object.hasOwn(settings.workflows, name) ? { workflowId: idOf(name), versionId: idOf(name) } : undefined,
      },
      secrets: { read: async () => ({}) },
      functions: new Map(Object.entries(settings.functions ?? {})),
      reporter: { warn: (message) => void warnings.push(message) },
      now: Date.now,
      newId: newUuid,
      version: 'test',
      host: settings.host ?? hostname(),
      pid: settings.pid ?? ++pids,
      lives: () => true,
      ...(settings.boundary === undefined ? {} : { boundary: settings.boundary }),
      ...(settings.lifecycle === undefined ? {} : { lifecycle: settings.lifecycle }),
    },
    { liveMax: settings.liveMax ?? 100, lanes: 3, perAccountMax: 100, recoverMs: 100 },
  )
  await engine.work()
  return {
    engine,
    warnings,
    start(name, input = {}, key) {
      const id = idOf(name)
      const idempotency = key === undefined ? {} : { idempotency: key }
      return engine.start({ accountId, workflowId: id, versionId: id, trigger: 'manual', actor: 'user:test', input, ...idempotency })
    },
    outcome: (id, timeoutMs = 10_000) => engine.outcome(accountId, id, timeoutMs),
  }
}
