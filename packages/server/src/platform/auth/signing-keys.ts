import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { SecretBox } from './secret-box.ts'
import { deleteEndedSigningKeys, insertSigningKey, listSigningKeys, lockSigningKeys, type SigningKeyRow } from './signing-key-store.ts'

const dayMs = 24 * 60 * 60 * 1000

/** How long a key signs, how long before that it is published, and how long after it verifies. */
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

/** A public key as RFC 7517 and 8037 write it. */
export interface PublicJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly alg: 'EdDSA'
  readonly use: 'sig'
}

/** The keys of access tokens: kept in the database, the same in every process, renewed by whoever first finds that it is time. */
export interface SigningKeys {
  /** The key that signs now. */
  current(): Promise<SigningKey>
  /** The public key of this id; asks the database for one that this process has not seen yet. */
  find(kid: string): Promise<KeyObject | undefined>
  /** Whether a key that was found once verifies still, without asking. */
  holds(kid: string): boolean
  /** What `/.well-known/jwks.json` answers. */
  jwks(): Promise<{ readonly keys: readonly PublicJwk[] }>
}

export interface SigningKeysDeps {
  readonly db: Kysely<Rows>
  readonly box: SecretBox
  readonly now: () => Date
  readonly life?: SigningKeyLife
}

interface Held {
  readonly row: SigningKeyRow
  readonly publicKey: KeyObject
  /** Absent when it was sealed under another secret key: it verifies and cannot sign. */
  readonly privateKey: KeyObject | undefined
}

export function createSigningKeys({ db, box, now, life = signingKeyLifeDefault }: SigningKeysDeps): SigningKeys {
  let held: ReadonlyMap<string, Held> = new Map()
  let loading: Promise<void> | undefined

  async function load(executor: Kysely<Rows>): Promise<void> {
    const rows = await listSigningKeys(executor, now())
    held = new Map(rows.map((row) => [row.kid, held.get(row.kid) ?? holdOf(row, box)]))
  }

  // One at a time: whoever sends tokens with made-up key ids cannot make more than one query run at once.
  const reload = () => (loading ??= load(db).finally(() => (loading = undefined)))

  /** Makes the next key when the last one is about to end, or cannot be used. */
  async function renew(): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await lockSigningKeys(tx)
      await load(tx)
      const at = now()
      const last = lastOf(held)
      if (last !== undefined && !isDue(last, at, life)) return
      const from = last !== undefined && last.row.signs_until > at ? last.row.signs_until : at
      await deleteEndedSigningKeys(tx, at)
      await insertSigningKey(tx, await makeKey(box, from, life))
      await load(tx)
    })
  }

  let readying: Promise<void> | undefined

  // One at a time here as well: each renewal takes a connection, and all but one would find that there is nothing to do.
  async function ready(): Promise<void> {
    const last = lastOf(held)
    if (last !== undefined && !isDue(last, now(), life)) return
    await (readying ??= renewIfDue().finally(() => (readying = undefined)))
  }

  async function renewIfDue(): Promise<void> {
    await reload()
    const newest = lastOf(held)
    if (newest === undefined || isDue(newest, now(), life)) await renew()
  }

  const holds = (kid: string) => {
    const key = held.get(kid)
    return key !== undefined && key.row.verifies_until > now()
  }

  return {
    holds,
    async current() {
      await ready()
      const at = now()
      for (const { row, privateKey } of held.values())
        if (privateKey !== undefined && row.signs_from <= at && at < row.signs_until) return { kid: row.kid, privateKey }
      throw new Error('No signing key is in its time, though one was just made.')
    },
    async find(kid) {
      if (!holds(kid)) await reload()
      return holds(kid) ? held.get(kid)?.publicKey : undefined
    },
    async jwks() {
      await ready()
      return { keys: [...held.values()].map(({ row }) => jwkOf(row)) }
    },
  }
}

/** The key that signs last; keys that cannot sign do not count. */
function lastOf(held: ReadonlyMap<string, Held>): Held | undefined {
  return held
    .values()
    .filter(({ privateKey }) => privateKey !== undefined)
    .reduce<Held | undefined>((last, key) => (last !== undefined && last.row.signs_until >= key.row.signs_until ? last : key), undefined)
}

function isDue(last: Held, at: Date, life: SigningKeyLife): boolean {
  return last.row.signs_until.getTime() - life.publishedAheadMs <= at.getTime()
}

function holdOf(row: SigningKeyRow, box: SecretBox): Held {
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
