import { randomBytes } from 'node:crypto'
import type { Config } from '#config/read-config.ts'
import { loadSecretKey } from '#config/secret-key.ts'
import { createVariableValues, resealVariables } from '#modules/variables/index.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import { createDatabase, databaseDefaults } from '#platform/db/database.ts'
import { resealAccountKeys, rootVersionsInUse } from '#platform/sealing/reseal-account-keys.ts'
import { createSealing } from '#platform/sealing/sealing.ts'
import { addSecretKey, deleteUnusedRoots, isBeingReplaced, retireOtherKeys } from '#platform/secrets/replace-secret-key.ts'
import { insertRoot, openInstallationKeys, type RootKeysDeps } from '#platform/secrets/root-keys.ts'

export interface RotationSummary {
  /** Of the new root key. */
  readonly version: number
  readonly accounts: number
  /** Secrets that were sealed before accounts had keys. */
  readonly secrets: number
}

export interface KeyRotation {
  /** Makes a new root key and seals the keys of all accounts under it, while servers work. */
  rotate(): Promise<RotationSummary>
  /** Lets processes work with another secret key as well. */
  addSecretKey(next: Uint8Array): Promise<void>
  /** Refuses every secret key but the configured one. False when no other one was accepted. */
  retire(): Promise<boolean>
  /** Whether another secret key than the configured one is accepted. */
  isBeingReplaced(): Promise<boolean>
  close(): Promise<void>
}

const batchDefault = 500
const noRoot = { acceptNew: false }

/** The keys of an installation, for a command: servers may work meanwhile. */
export function openKeys(config: Pick<Config, 'secretKey' | 'home'>, url: string, batch = batchDefault): KeyRotation {
  const database = createDatabase({ ...databaseDefaults, url, systemConnectionsMax: 2, accountConnectionsMax: 1 })
  const deps = async (): Promise<RootKeysDeps> => {
    const secretKey = (config.secretKey ?? (await loadSecretKey({ home: config.home, randomBytes }))).reveal()
    return { db: database.system, secretKey, randomBytes, now: Date.now }
  }
  return {
    async rotate() {
      const own = await deps()
      const { first, roots } = await openInstallationKeys(own, noRoot)
      await deleteUnusedRoots(own, await rootVersionsInUse(own.db))
      const root = { version: (await roots.current()).version + 1, secret: randomBytes(32) }
      await insertRoot(own, root)
      const after = await openInstallationKeys(own, noRoot)
      const accounts = await resealAccountKeys({ db: own.db, roots: after.roots, randomBytes, batch }, root)
      const sealing = createSealing({ roots: after.roots, randomBytes })
      const values = createVariableValues({ sealing, before: createSecretBox(first, 'variables', randomBytes) })
      const secrets = await resealVariables(own.db, batch, (accountId, secret) => values.resealed(own.db, accountId, secret))
      // Accounts whose key was made meanwhile by a process that did not know the new root key yet.
      const late = await resealAccountKeys({ db: own.db, roots: after.roots, randomBytes, batch }, root)
      return { version: root.version, accounts: accounts + late, secrets }
    },
    async addSecretKey(next) {
      const own = await deps()
      await addSecretKey(own, await openInstallationKeys(own, noRoot), next)
    },
    async retire() {
      const own = await deps()
      await openInstallationKeys(own, noRoot)
      return retireOtherKeys(own)
    },
    isBeingReplaced: async () => isBeingReplaced(await deps()),
    close: () => database.close(),
  }
}
