import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { SecretBox } from './secret-box.ts'
import { deleteEndedSigningKeys, insertSigningKey, listSigningKeys, lockSigningKeys, type SigningKeyRow } from './signing-key-store.ts'

const dayMs = 24 * 60 * 60 * 1000

/** How long a key signs, how long before that it is published, and how long after that it verifies. */
export interface SigningKeyLife {
  readonly signsMs: number
  readonly publishedAheadMs: number
  readonly verifiesAfterMs: number
}

export const signingKeyLifeDefault: SigningKeyLife = { signsMs: 30 * dayMs, publishedAheadMs: 2 * dayMs, verifiesAfterMs: 60 * 60 * 1000 }

export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
}

/** A public key in the form of RFC 7517 and 8037. */
export interface PublicJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly alg: 'EdDSA'
  readonly use: 'sig'
}

/** The keys of access tokens, stored in the database and shared by all processes. The first process that notices a key is due for renewal renews it. */
export interface SigningKeys {
  /** The current signing key. */
  current(): Promise<SigningKey>
  /** The public key of this id; queries the database for an id that this process does not know. */
  find(kid: string): Promise<KeyObject | undefined>
  /** Whether a known key still verifies; does not query the database. */
  isValid(kid: string): boolean
  /** The document at `/.well-known/jwks.json`. */
  jwks(): Promise<{ readonly keys: readonly PublicJwk[] }>
}

export interface SigningKeysDeps {
  readonly db: Kysely<Rows>
  readonly box: SecretBox
  readonly now: () => Date
  readonly life?: SigningKeyLife
}

interface LoadedKey {
  readonly row: SigningKeyRow
  readonly publicKey: KeyObject
  /** `undefined` when it was encrypted under another secret key: such a key verifies and cannot sign. */
  readonly privateKey: KeyObject | undefined
}

export function createSigningKeys({ db, box, now, life = signingKeyLifeDefault }: SigningKeysDeps): SigningKeys {
  let loaded: ReadonlyMap<string, LoadedKey> = new Map()
  let loading: Promise<void> | undefined

  async function load(executor: Kysely<Rows>): Promise<void> {
    const rows = await listSigningKeys(executor, now())
    loaded = new Map(rows.map((row) => [row.kid, loaded.get(row.kid) ?? decodeKey(row, box)]))
  }

  // One query at a time, so that tokens with invented key ids cannot cause many at once.
  const reload = () => (loading ??= load(db).finally(() => (loading = undefined)))

  /** Makes the next key when the last one is about to end or cannot be used. */
  async function renew(): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await lockSigningKeys(tx)
      await load(tx)
      const at = now()
      const last = lastOf(loaded)
      if (last !== undefined && !isDue(last, at, life)) return
      const from = last !== undefined && last.row.signs_until > at ? last.row.signs_until : at
      await deleteEndedSigningKeys(tx, at)
      await insertSigningKey(tx, await makeKey(box, from, life))
      await load(tx)
    })
  }

  let readying: Promise<void> | undefined

  // One renewal at a time: each uses a connection, and all but the first would find nothing to do.
  async function ready(): Promise<void> {
    const last = lastOf(loaded)
    if (last !== undefined && !isDue(last, now(), life)) return
    await (readying ??= renewIfDue().finally(() => (readying = undefined)))
  }

  async function renewIfDue(): Promise<void> {
    await reload()
    const newest = lastOf(loaded)
    if (newest === undefined || isDue(newest, now(), life)) await renew()
  }

  const isValid = (kid: string) => {
    const key = loaded.get(kid)
    return key !== undefined && key.row.verifies_until > now()
  }

  return {
    isValid,
    async current() {
      await ready()
      const at = now()
      for (const { row, privateKey } of loaded.values())
        if (privateKey !== undefined && row.signs_from <= at && at < row.signs_until) return { kid: row.kid, privateKey }
      throw new Error('no signing key is valid now, although one was just made')
    },
    async find(kid) {
      if (!isValid(kid)) await reload()
      return isValid(kid) ? loaded.get(kid)?.publicKey : undefined
    },
    async jwks() {
      await ready()
      return { keys: [...loaded.values()].map(({ row }) => jwkOf(row)) }
    },
  }
}

/** The key with the latest `signs_until` among those that can sign. */
function lastOf(loaded: ReadonlyMap<string, LoadedKey>): LoadedKey | undefined {
  return loaded
    .values()
    .filter(({ privateKey }) => privateKey !== undefined)
    .reduce<LoadedKey | undefined>(
      (last, key) => (last !== undefined && last.row.signs_until >= key.row.signs_until ? last : key),
      undefined,
    )
}

function isDue(last: LoadedKey, at: Date, life: SigningKeyLife): boolean {
  return last.row.signs_until.getTime() - life.publishedAheadMs <= at.getTime()
}

function decodeKey(row: SigningKeyRow, box: SecretBox): LoadedKey {
  const sealed = box.open(row.private_key, row.kid)
  return {
    row,
    publicKey: createPublicKey({ key: { ...jwkOf(row) }, format: 'jwk' }),
    privateKey: sealed === undefined ? undefined : createPrivateKey({ key: sealed, format: 'der', type: 'pkcs8' }),
  }
}

function jwkOf(row: SigningKeyRow): PublicJwk {
  return { kty: 'OKP', crv: 'Ed25519', x: row.public_key, kid: row.kid, alg: 'EdDSA', use: 'sig' }
}

async function makeKey(box: SecretBox, from: Date, life: SigningKeyLife): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x })
  const until = new Date(from.getTime() + life.signsMs)
  return {
    kid,
    public_key: x,
    private_key: box.seal(privateKey.export({ format: 'der', type: 'pkcs8' }), kid),
    signs_from: from,
    signs_until: until,
    verifies_until: new Date(until.getTime() + life.verifiesAfterMs),
  }
}
