import { sql } from 'kysely'
import { fingerprintOf } from './installation-key.ts'
import { firstVersion, insertRoot, type OpenedKeys, readRoots, type RootKeysDeps } from './root-keys.ts'

/** Whether processes may be configured with another secret key than this one: a replacement that was not ended. */
export async function isBeingReplaced({ db, secretKey }: Pick<RootKeysDeps, 'db' | 'secretKey'>): Promise<boolean> {
  const own = fingerprintOf(secretKey)
  const { rows } = await sql`
    select from installation_roots where key_fingerprint <> ${own}
    union all select from installation_key where fingerprint <> ${own}`.execute(db)
  return rows.length > 0
}

/** Seals every root key under a further secret key: processes that are configured with either of them work. */
export async function addSecretKey(deps: RootKeysDeps, { first }: OpenedKeys, next: Uint8Array): Promise<void> {
  const later = (await readRoots(deps)).filter(({ version }) => version > firstVersion)
  await deps.db.transaction().execute(async (tx) => {
    for (const root of [{ version: firstVersion, secret: first }, ...later]) await insertRoot({ ...deps, db: tx, secretKey: next }, root)
  })
}

/** Ends a replacement: only the configured secret key opens the installation from now on. False when there is nothing to end. */
export async function retireOtherKeys(deps: RootKeysDeps): Promise<boolean> {
  if (!(await isBeingReplaced(deps))) return false
  const own = fingerprintOf(deps.secretKey)
  await deps.db.transaction().execute(async (tx) => {
    await sql`delete from installation_roots where key_fingerprint <> ${own}`.execute(tx)
    await sql`update installation_key set fingerprint = ${own}, recorded_at = ${new Date(deps.now())}`.execute(tx)
  })
  return true
}

/** Deletes root keys that are not in use any more, a minute after they were replaced. */
export async function deleteUnusedRoots({ db, now }: Pick<RootKeysDeps, 'db' | 'now'>, inUse: readonly number[]): Promise<void> {
  await sql`
    delete from installation_roots r
    where r.version > ${firstVersion} and r.version <> all(${inUse}::smallint[])
      and exists (
        select from installation_roots n where n.version > r.version and n.created_at < ${new Date(now() - 60_000)}
      )`.execute(db)
}
