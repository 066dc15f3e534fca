import { type Kysely, sql } from 'kysely'
import { createSecretBox, type SecretBox } from '#platform/auth/secret-box.ts'
import type { Rows } from '#platform/db/rows.ts'
import { checkInstallationKey, fingerprintOf, type InstallationKeyOptions } from './installation-key.ts'

/** A key under which data keys of accounts are sealed. */
export interface RootKey {
  readonly version: number
  readonly secret: Uint8Array
}

/** The root keys of an installation, as any process finds them at any time: a rotation needs no restart. */
export interface RootKeys {
  /** The one that seals; known for some seconds, during which an earlier one still opens. */
  current(): Promise<RootKey>
  /** `undefined` for a version that this installation does not have. */
  of(version: number): Promise<RootKey | undefined>
}

export interface RootKeysDeps {
  readonly db: Kysely<Rows>
  /** The secret key of the installation as configured. */
  readonly secretKey: Uint8Array
  readonly randomBytes: (size: number) => Uint8Array
  readonly now: () => number
}

export const firstVersion = 1
const freshMs = 5_000

export interface OpenedKeys {
  /** The first secret key of the installation, under which everything but the data keys of accounts is sealed. */
  readonly first: Uint8Array
  readonly roots: RootKeys
}

/** Opens the keys of an installation with its configured secret key, which must be the recorded one or one that `millrace keys rotate` added. */
export async function openInstallationKeys(
  deps: RootKeysDeps,
  { acceptNew }: Pick<InstallationKeyOptions, 'acceptNew'>,
): Promise<OpenedKeys> {
  const { db, secretKey, now } = deps
  const found = (await readRoots(deps)).find(({ version }) => version === firstVersion)
  if (found === undefined) await checkInstallationKey(db, { secretKey, now: new Date(now()), acceptNew })
  const first = found?.secret ?? secretKey
  return { first, roots: createRootKeys(deps, first) }
}

function createRootKeys(deps: RootKeysDeps, first: Uint8Array): RootKeys {
  let known = new Map<number, RootKey>([[firstVersion, { version: firstVersion, secret: first }]])
  let readAt = -Infinity
  let reading: Promise<void> | undefined

  /** One reading serves all that wait: each takes a connection. */
  const refresh = () => (reading ??= read().finally(() => (reading = undefined)))

  async function read(): Promise<void> {
    const roots = await readRoots(deps)
    readAt = deps.now()
    known = new Map([[firstVersion, { version: firstVersion, secret: first }], ...roots.map((root) => [root.version, root] as const)])
  }

  return {
    async current() {
      if (deps.now() - readAt >= freshMs) await refresh()
      const latest = [...known.values()].reduce((one, other) => (other.version > one.version ? other : one))
      return latest
    },
    async of(version) {
      if (!known.has(version)) await refresh()
      return known.get(version)
    },
  }
}

/** The root keys that the configured secret key opens. */
export async function readRoots({ db, secretKey, randomBytes }: Omit<RootKeysDeps, 'now'>): Promise<readonly RootKey[]> {
  const { rows } = await sql<{ readonly version: number; readonly sealed: Buffer }>`
    select version, sealed from installation_roots where key_fingerprint = ${fingerprintOf(secretKey)} order by version`.execute(db)
  const box = rootBox(secretKey, randomBytes)
  return rows.map(({ version, sealed }) => {
    const secret = box.open(sealed, contextOf(version))
    if (secret === undefined) throw new Error(`version ${version} of the keys of this installation cannot be opened`)
    return { version, secret }
  })
}

/** Adds a root key, sealed under a secret key. */
export async function insertRoot({ db, secretKey, randomBytes, now }: RootKeysDeps, { version, secret }: RootKey): Promise<void> {
  const sealed = rootBox(secretKey, randomBytes).seal(secret, contextOf(version))
  await sql`
    insert into installation_roots (version, key_fingerprint, sealed, created_at)
    values (${version}, ${fingerprintOf(secretKey)}, ${sealed}, ${new Date(now())})`.execute(db)
}

function rootBox(secretKey: Uint8Array, randomBytes: RootKeysDeps['randomBytes']): SecretBox {
  return createSecretBox(secretKey, 'installation-roots', randomBytes)
}

function contextOf(version: number): string {
  return `root ${version}`
}
