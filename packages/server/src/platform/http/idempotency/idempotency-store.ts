import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { Fault } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { errorCode } from '#platform/error-code.ts'
import type { IdempotencyStore, KeptAnswer, KeyUse } from './idempotency.ts'

export interface IdempotencyStoreDeps {
  /** Not bound to an account. */
  readonly db: Kysely<Rows>
  readonly randomBytes: (size: number) => Uint8Array
  /** How long an answer is kept. */
  readonly keepSeconds?: number
  /** How long a request without a transaction of its own may take before its key is free again: its process is then taken for dead. */
  readonly claimSeconds?: number
}

interface KeyRow {
  readonly operation: string
  readonly fingerprint: Uint8Array
  readonly status: number | null
  readonly reply: Uint8Array | null
}

const daySeconds = 24 * 60 * 60
/** No answer waits for longer, whatever was asked for. */
const waitSecondsMax = 600
const ivLength = 12
const tagLength = 16

/** Keeps answers in `idempotency_keys`, sealed under the caller's key, so that a copy of the table gives no secret away. */
export function createIdempotencyStore(deps: IdempotencyStoreDeps): IdempotencyStore {
  // An hour more than the day that is promised: clocks differ.
  const { db, randomBytes, keepSeconds = daySeconds + 3600, claimSeconds = 60 } = deps

  return {
    async claim(tx, use) {
      const executor = tx ?? db
      const lookup = digest('lookup', use)
      const heldSeconds = claimSeconds + Math.min(use.waitSeconds ?? 0, waitSecondsMax)
      if (await waitForClaim(executor, use, lookup, tx === undefined ? heldSeconds : keepSeconds)) return undefined
      const row = await findKey(executor, lookup)
      // The first request was rolled back, or swept, between the two statements: the caller repeats, and then it is the first.
      if (row === undefined) throw new Fault('idempotency_in_progress', { retryAfterSeconds: 1 })
      if (row.operation !== use.operation || !Buffer.from(row.fingerprint).equals(use.fingerprint))
        throw new Fault('idempotency_key_reused')
      if (row.status === null || row.reply === null) throw new Fault('idempotency_in_progress', { retryAfterSeconds: 1 })
      return unseal(row.status, row.reply, use)
    },

    async keep(tx, use, answer) {
      const reply = seal(answer, use, randomBytes(ivLength))
      await upsertAnswer(tx ?? db, use, digest('lookup', use), answer.status, reply, keepSeconds)
    },

    async release(use) {
      await sql`delete from idempotency_keys where lookup = ${digest('lookup', use)} and status is null`.execute(db)
    },
  }
}

/** Deletes at most `limit` keys whose time is over, and tells how many; to be run now and then. */
export async function sweepIdempotencyKeys(db: Kysely<Rows>, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from idempotency_keys where lookup in (
      select lookup from idempotency_keys where expires_at < now() limit ${limit} for update skip locked
    ) returning 1`.execute(db)
  return rows.length
}

const queryCanceled = '57014'

/** The wait for a concurrent first request has an end, the statement timeout of the connection. */
async function waitForClaim(executor: Kysely<Rows>, use: KeyUse, lookup: Uint8Array, seconds: number): Promise<boolean> {
  try {
    return await insertClaim(executor, use, lookup, seconds)
  } catch (error) {
    if (errorCode(error) === queryCanceled) throw new Fault('idempotency_in_progress', { retryAfterSeconds: 5, cause: error })
    throw error
  }
}

// A concurrent insert of the same key makes this wait until the other transaction ends; an expired row is taken over.
async function insertClaim(executor: Kysely<Rows>, use: KeyUse, lookup: Uint8Array, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys as kept (lookup, account_id, operation, fingerprint, expires_at)
    values (${lookup}, ${use.accountId ?? null}, ${use.operation}, ${use.fingerprint}, now() + make_interval(secs => ${seconds}))
    on conflict (lookup) do update set
      operation = excluded.operation, fingerprint = excluded.fingerprint, status = null, reply = null,
      created_at = now(), expires_at = excluded.expires_at
    where kept.expires_at <= now()
    returning 1`.execute(executor)
  return rows.length === 1
}

async function findKey(executor: Kysely<Rows>, lookup: Uint8Array): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select operation, fingerprint, status, reply from idempotency_keys where lookup = ${lookup}`.execute(executor)
  return rows[0]
}

// Inserts where the claim was rolled back with its transaction (an answer that is a Fault). A key that has an answer by now keeps that.
async function upsertAnswer(executor: Kysely<Rows>, use: KeyUse, lookup: Uint8Array, status: number, reply: Uint8Array, seconds: number) {
  await sql`
    insert into idempotency_keys as kept (lookup, account_id, operation, fingerprint, status, reply, expires_at)
    values (${lookup}, ${use.accountId ?? null}, ${use.operation}, ${use.fingerprint}, ${status}, ${reply}, now() + make_interval(secs => ${seconds}))
    on conflict (lookup) do update set status = excluded.status, reply = excluded.reply, expires_at = excluded.expires_at
    where kept.status is null and kept.fingerprint = excluded.fingerprint`.execute(executor)
}

function digest(purpose: 'lookup' | 'seal', use: KeyUse): Buffer {
  return createHash('sha256').update(`${purpose}\n${use.owner}\n${use.key}`).digest()
}

function seal(answer: KeptAnswer, use: KeyUse, iv: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', digest('seal', use), iv)
  const text = JSON.stringify([answer.contentType, answer.headers, answer.body])
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

function unseal(status: number, sealed: Uint8Array, use: KeyUse): KeptAnswer {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv('aes-256-gcm', digest('seal', use), bytes.subarray(0, ivLength))
  decipher.setAuthTag(bytes.subarray(-tagLength))
  const text = Buffer.concat([decipher.update(bytes.subarray(ivLength, -tagLength)), decipher.final()]).toString('utf8')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by `seal` and authenticated by GCM: nobody else can have made it.
  const [contentType, headers, body] = JSON.parse(text) as [string, Record<string, string>, string]
  return { status, contentType, headers, body }
}
