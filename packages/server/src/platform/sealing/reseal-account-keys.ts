import { type Kysely, sql } from 'kysely'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { RootKey, RootKeys } from '#platform/secrets/root-keys.ts'

export interface ResealDeps {
  readonly db: Kysely<Rows>
  readonly roots: RootKeys
  readonly randomBytes: (size: number) => Uint8Array
  /** Rows of one statement. */
  readonly batch: number
}

/**
 * Seals the data keys of all accounts under one root key, in batches, while processes use them. Values stay as they are: only what seals
 * their key changes. @returns how many were sealed anew.
 */
export async function resealAccountKeys({ db, roots, randomBytes, batch }: ResealDeps, target: RootKey): Promise<number> {
  const box = (root: RootKey) => createSecretBox(root.secret, 'account-keys', randomBytes)
  let after = '00000000-0000-0000-0000-000000000000'
  let count = 0
  for (;;) {
    const { rows } = await sql<{ readonly account_id: string; readonly sealed_by: number; readonly sealed: Buffer }>`
      select account_id, sealed_by, sealed from account_keys
      where account_id > ${after} and sealed_by <> ${target.version} order by account_id limit ${batch}`.execute(db)
    for (const { account_id: accountId, sealed_by: version, sealed } of rows) {
      const root = await roots.of(version)
      const key = root === undefined ? undefined : box(root).open(sealed, accountId)
      if (key === undefined) throw new Error(`the key of account ${accountId} cannot be opened with version ${version} of the root key`)
      const { numAffectedRows = 0n } = await sql`
        update account_keys set sealed = ${box(target).seal(key, accountId)}, sealed_by = ${target.version}
        where account_id = ${accountId} and sealed_by = ${version}`.execute(db)
      count += Number(numAffectedRows)
      after = accountId
    }
    if (rows.length < batch) return count
  }
}

/** The versions of root keys that seal keys of accounts. */
export async function rootVersionsInUse(db: Kysely<Rows>): Promise<readonly number[]> {
  const { rows } = await sql<{ readonly version: number }>`select distinct sealed_by as version from account_keys`.execute(db)
  return rows.map(({ version }) => version)
}
