import { hostname } from 'node:os'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Engine } from '#durable/process/engine.ts'
import type { Definitions } from '#durable/ports/definitions.ts'
import { openEngine, type OpenEngineDeps, type OpenEngineOptions } from '#postgres/open-engine.ts'
import type { EngineDatabase } from './database.ts'
import { newUuid } from './uuid.ts'

/** Each fake process has its own pid, above those of real processes. */
let pids = 4_200_000

/** Opens a working engine, by default without secrets. Several engines on one database represent several processes. */
export async function openTestEngine(
  { pool, boss }: EngineDatabase,
  deps: Pick<OpenEngineDeps, 'definitions' | 'functions' | 'reporter'> & Partial<OpenEngineDeps>,
  options: Pick<OpenEngineOptions, 'liveMax' | 'recoverMs' | 'idleMs'>,
): Promise<Engine> {
  const process = { version: 'test', host: hostname(), pid: ++pids, lives: () => true }
  const engine = await openEngine(
    { pool, boss, secrets: { read: async () => ({}) }, now: Date.now, newId: newUuid, ...process, ...deps },
    { lanes: 3, perAccountMax: 100, ...options },
  )
  await engine.work()
  return engine
}

/** Definitions by the id of their version, for all accounts. */
export function definitionsIn(versions: ReadonlyMap<string, CompiledWorkflow>, resolve: Definitions['resolve']): Definitions {
  return {
    async load(_accountId, versionId) {
      const workflow = versions.get(versionId)
      if (workflow === undefined) throw new Error(`no version ${versionId}`)
      return workflow
    },
    resolve,
  }
}
