import manifest from '#manifest' with { type: 'json' }
import { openVerifier, ownProcessor, type Verdict } from '@millrace/engine'
import { catalog } from '#catalog/catalog.ts'
import type { Config } from '#config/read-config.ts'
import { hasErasure } from '#modules/erasures/index.ts'
import { createDefinitions } from '#modules/workflows/index.ts'
import { createDatabase, databaseDefaults } from '#platform/db/database.ts'
import { fromTypeId } from '#platform/ids.ts'
import { openEnginePool } from './connections.ts'
import { publicId, secretsOfExecutions } from './engine.ts'
import type { Logger } from './logger.ts'
import { openAccountSecrets, openSecrets, type Secrets } from './secrets.ts'
import { thisSystem } from './system.ts'

/** Verifies executions of an installation against their journals; read-only. */
export interface InstallationVerifier {
  /** @param id as the API has it, or the UUID in it. @returns undefined when there is no such execution. */
  verify(id: string): Promise<Verdict | undefined>
  /** Every execution that has ended, oldest first. */
  all(): AsyncGenerator<{ readonly id: string; readonly verdict: Verdict }>
  close(): Promise<void>
}

const page = 200
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** @param url of a database whose migrations are applied. */
export async function openInstallationVerifier(
  config: Pick<Config, 'secretsFile' | 'vault' | 'secretKey' | 'home'>,
  url: string,
  logger: Logger,
): Promise<InstallationVerifier> {
  const running = new AsyncDisposableStack()
  const system = thisSystem()
  const fallback = await openSecrets(config, logger, system, running)
  const database = createDatabase({ ...databaseDefaults, url, systemConnectionsMax: 2, accountConnectionsMax: 1 })
  const pool = openEnginePool({ url, shares: { database: 2, engine: 2, queue: 1 }, logger })
  const definitions = createDefinitions({
    db: database.system,
    functions: catalog,
    processor: ownProcessor,
    charactersMax: 16 * 1024 * 1024,
  })
  // The secret key is needed only where an execution has read secrets.
  let opened: Promise<Secrets> | undefined
  const open = () => (opened ??= openAccountSecrets({ ...config, acceptNewKey: false }, { database, fallback }, { logger, system }))
  const secrets = secretsOfExecutions({ read: async (...names) => (await open()).secrets.read(...names) })
  const verifier = openVerifier({ pool, definitions, secrets, version: manifest.version, publicId })
  const isErased = (id: string) => hasErasure(database.system, id)
  return {
    async verify(id) {
      const known = uuid.test(id) ? id : fromTypeId('exec', id)
      return known === undefined ? undefined : verifier.verify(known, await isErased(known))
    },
    async *all() {
      for (let after: string | undefined; ; ) {
        const ids = await verifier.ended(after, page)
        for (const id of ids) {
          const verdict = await verifier.verify(id, await isErased(id))
          if (verdict !== undefined) yield { id: publicId(id), verdict }
        }
        after = ids.at(-1)
        if (ids.length < page) return
      }
    },
    async close() {
      await database.close()
      await pool.end()
      await running.disposeAsync()
    },
  }
}
