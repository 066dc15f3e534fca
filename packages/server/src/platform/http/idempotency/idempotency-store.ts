import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { Fault } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { errorCode } from '#platform/error-code.ts'
import type { IdempotencyStore, StoredResponse, KeyUse } from './idempotency.ts'

export interface IdempotencyStoreDeps {
  /** Not bound to an account. */
  readonly db: Kysely<Rows>
  readonly randomBytes: (size: number) => Uint8Array
  /** How long a response is stored. */
  readonly storeSeconds?: number
  /** How long a claim without a transaction is valid unless it is renewed. After it the process of its request counts as dead, and the key is free again. */
  readonly claimSeconds?: number
  /** The time between two renewals of a claim, in milliseconds. */
  readonly renewMs?: number
}

interface KeyRow {
  readonly operation: string
  readonly fingerprint: Uint8Array
  readonly status: number | null
  readonly reply: Uint8Array | null
}

const daySeconds = 24 * 60 * 60
const ivLength = 12
const tagLength = 16

/** Stores responses in `idempotency_keys`, encrypted under the caller's key, so that a copy of the table discloses no secret. */
export function createIdempotencyStore(deps: IdempotencyStoreDeps): IdempotencyStore {
  // One hour more than the documented day, since clocks differ.
  const { db, randomBytes, storeSeconds = daySeconds + 3600, claimSeconds = 60, renewMs = 20_000 } = deps

  return {
    async claim(tx, use) {
      const executor = tx ?? db
      const lookup = digest('lookup', use)
      if (await claimOrWait(executor, use, lookup, tx === undefined ? claimSeconds : storeSeconds)) return undefined
      const row = await findKey(executor, lookup)
      // The key of the first request was rolled back or swept between the two statements. When the caller repeats, its request is the first.
      if (row === undefined) throw new Fault('idempotency_in_progress', { retryAfterSeconds: 1 })
      if (row.operation !== use.operation || !Buffer.from(row.fingerprint).equals(use.fingerprint))
        throw new Fault('idempotency_key_reused')
      if (row.status === null || row.reply === null) throw new Fault('idempotency_in_progress', { retryAfterSeconds: 1 })
      return unseal(row.status, row.reply, use)
    },

    keep(use) {
      const lookup = digest('lookup', use)
      const renew = () =>
        sql`
          update idempotency_keys set expires_at = now() + make_interval(secs => ${claimSeconds})
          where lookup = ${lookup} and claim_id = ${use.claimId} and status is null`.execute(db)
      // After a failure the next renewal may still be in time.
      const timer = setInterval(() => void renew().catch(() => undefined), renewMs)
      return () => clearInterval(timer)
    },

    async save(tx, use, response) {
      const sealed = seal(response, use, randomBytes(ivLength))
      await upsertResponse(tx ?? db, use, digest('lookup', use), response.status, sealed, storeSeconds)
    },

    async release(use) {
      await sql`delete from idempotency_keys where lookup = ${digest('lookup', use)} and claim_id = ${use.claimId} and status is null`.execute(
        db,
      )
    },
  }
}

/** Deletes at most `limit` expired keys and returns their number; to be run periodically. */
export async function sweepIdempotencyKeys(db: Kysely<Rows>, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from idempotency_keys where lookup in (
      select lookup from idempotency_keys where expires_at < now() limit ${limit} for update skip locked
    ) returning 1`.execute(db)
  return rows.length
}

const queryCanceled = '57014'

/** Claims the key. The statement timeout of the connection bounds the wait for a concurrent first request. */
async function claimOrWait(executor: Kysely<Rows>, use: KeyUse, lookup: Uint8Array, seconds: number): Promise<boolean> {
  try {
    return await insertClaim(executor, use, lookup, seconds)
  } catch (error) {
    if (errorCode(error) === queryCanceled) throw new Fault('idempotency_in_progress', { retryAfterSeconds: 5, cause: error })
    throw error
  }
}

// A concurrent insert of the same key makes this statement wait until the other transaction ends. An expired row is reused.
async function insertClaim(executor: Kysely<Rows>, use: KeyUse, lookup: Uint8Array, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys as stored (lookup, account_id, operation, fingerprint, claim_id, expires_at)
    values (${lookup}, ${use.accountId ?? null}, ${use.operation}, ${use.fingerprint}, ${use.claimId}, now() + make_interval(secs => ${seconds}))
    on conflict (lookup) do update set
      operation = excluded.operation, fingerprint = excluded.fingerprint, claim_id = excluded.claim_id,
      status = null, reply = null, created_at = now(), expires_at = excluded.expires_at
    where stored.expires_at <= now()
    returning 1`.execute(executor)
  return rows.length === 1
}

async function findKey(executor: Kysely<Rows>, lookup: Uint8Array): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select operation, fingerprint, status, reply from idempotency_keys where lookup = ${lookup}`.execute(executor)
  return rows[0]
}

// Inserts when the claim was rolled back with its transaction (the response is a Fault). A response that is stored already, and the claim of another
// request, are not replaced.
async function upsertResponse(executor: Kysely<Rows>, use: KeyUse, lookup: Uint8Array, status: number, reply: Uint8Array, seconds: number) {
  await sql`
    insert into idempotency_keys as stored (lookup, account_id, operation, fingerprint, claim_id, status, reply, expires_at)
    values (${lookup}, ${use.accountId ?? null}, ${use.operation}, ${use.fingerprint}, ${use.claimId}, ${status}, ${reply}, now() + make_interval(secs => ${seconds}))
    on conflict (lookup) do update set status = excluded.status, reply = excluded.reply, expires_at = excluded.expires_at
    where stored.status is null and stored.claim_id = excluded.claim_id`.execute(executor)
}

function digest(purpose: 'lookup' | 'seal', use: KeyUse): Buffer {
  return createHash('sha256').update(`${purpose}\n${use.owner}\n${use.key}`).digest()
}

function seal(response: StoredResponse, use: KeyUse, iv: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', digest('seal', use), iv)
  const text = JSON.stringify([response.contentType, response.headers, response.body])
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

function unseal(status: number, sealed: Uint8Array, use: KeyUse): StoredResponse {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv('aes-256-gcm', digest('seal', use), bytes.subarray(0, ivLength))
  decipher.setAuthTag(bytes.subarray(-tagLength))
  const text = Buffer.concat([decipher.update(bytes.subarray(ivLength, -tagLength)), decipher.final()]).toString('utf8')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by `seal` and authenticated by GCM, so it has this shape.
  const [contentType, headers, body] = JSON.parse(text) as [string, Record<string, string>, string]
  return { status, contentType, headers, body }
}
