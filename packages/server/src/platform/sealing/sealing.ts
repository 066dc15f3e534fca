import { type Kysely, sql } from 'kysely'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { RootKey, RootKeys } from '#platform/secrets/root-keys.ts'

/** The root key that a transaction seals with. */
export type PreparedKey = RootKey

/** Where a sealed value is stored. It can be opened only under the same place, so that values cannot be moved between rows. */
export interface SealedPlace {
  readonly table: string
  readonly column: string
  /** The key of the row. */
  readonly row: string
}

export interface SealingDeps {
  readonly roots: RootKeys
  readonly randomBytes: (size: number) => Uint8Array
}

/**
 * Envelope encryption: each account has a random data key, which is stored sealed under a root key of the installation. Values are sealed with
 * AES-256-GCM under the data key.
 */
export interface Sealing {
  /** Reads the root key for a transaction in which `seal` is called: inside, reading it would wait for a second connection. */
  prepare(): Promise<PreparedKey>
  /**
   * Seals bytes of an account. The first use makes the data key of the account, in the transaction of the executor.
   * @param root what `prepare` returned, if the transaction has a connection of the system.
   */
  seal(executor: Kysely<Rows>, accountId: string, place: SealedPlace, plain: Uint8Array, root?: PreparedKey): Promise<Buffer>
  /** `undefined` when the bytes were not sealed for this account and place, or when the key of the account was destroyed. */
  open(executor: Kysely<Rows>, accountId: string, place: SealedPlace, sealed: Uint8Array): Promise<Buffer | undefined>
  /** Opens several values of an account with one reading of its key. */
  opener(executor: Kysely<Rows>, accountId: string): Promise<(place: SealedPlace, sealed: Uint8Array) => Buffer | undefined>
  /** Destroys the data key of an account: nothing that was sealed under it can be opened any more. */
  destroyAccountKey(executor: Kysely<Rows>, accountId: string): Promise<void>
}

/** The first byte of every sealed value. */
const format = 1
const keyLength = 32

export function createSealing({ roots, randomBytes }: SealingDeps): Sealing {
  async function unsealKey(accountId: string, { sealed_by: version, sealed }: KeyRow): Promise<Buffer> {
    const root = await roots.of(version)
    if (root === undefined) throw new Error(`the key of an account is sealed by version ${version} of the root key, which is not known`)
    const key = createSecretBox(root.secret, 'account-keys', randomBytes).open(sealed, accountId)
    if (key === undefined) throw new Error('the key of an account cannot be opened: the secret key of the installation has changed')
    return key
  }

  async function makeKey(executor: Kysely<Rows>, accountId: string, root: PreparedKey | undefined): Promise<Buffer> {
    const current = root ?? (await roots.current())
    const key = randomBytes(keyLength)
    const sealed = createSecretBox(current.secret, 'account-keys', randomBytes).seal(key, accountId)
    const { rows } = await sql`
      insert into account_keys (account_id, sealed_by, sealed) values (${accountId}, ${current.version}, ${sealed})
      on conflict (account_id) do nothing returning 1`.execute(executor)
    if (rows.length === 1) return Buffer.from(key)
    // A concurrent transaction has made it first.
    const row = await findKey(executor, accountId)
    if (row === undefined) throw new Error('the key of an account was destroyed while it was made')
    return unsealKey(accountId, row)
  }

  async function opener(executor: Kysely<Rows>, accountId: string): ReturnType<Sealing['opener']> {
    const row = await findKey(executor, accountId)
    const box = row === undefined ? undefined : boxOf(await unsealKey(accountId, row), randomBytes)
    return (place, sealed) => (sealed[0] === format ? box?.open(sealed.subarray(1), contextOf(accountId, place)) : undefined)
  }

  return {
    prepare: () => roots.current(),
    async seal(executor, accountId, place, plain, root) {
      const row = await findKey(executor, accountId)
      const key = row === undefined ? await makeKey(executor, accountId, root) : await unsealKey(accountId, row)
      return Buffer.concat([Buffer.of(format), boxOf(key, randomBytes).seal(plain, contextOf(accountId, place))])
    },
    async open(executor, accountId, place, sealed) {
      return sealed[0] === format ? (await opener(executor, accountId))(place, sealed) : undefined
    },
    opener,
    async destroyAccountKey(executor, accountId) {
      await sql`delete from account_keys where account_id = ${accountId}`.execute(executor)
    },
  }
}

interface KeyRow {
  readonly sealed_by: number
  readonly sealed: Buffer
}

async function findKey(executor: Kysely<Rows>, accountId: string): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`select sealed_by, sealed from account_keys where account_id = ${accountId}`.execute(executor)
  return rows[0]
}

function boxOf(key: Uint8Array, randomBytes: SealingDeps['randomBytes']) {
  return createSecretBox(key, 'sealed-values', randomBytes)
}

/** As JSON, so that two different places never have the same text. */
function contextOf(accountId: string, { table, column, row }: SealedPlace): string {
  return JSON.stringify([accountId, table, column, row])
}
