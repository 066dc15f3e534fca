import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { randomBase62 } from '#platform/auth/base62.ts'
import { hasOperator } from './registration-gate.ts'
import type { Executor } from './store.ts'

const mark = 'mlr-operator-'
const randomLength = 26
const codesMax = 20

export interface OperatorCodesDeps {
  readonly db: Executor
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
}

/** Makes the one-time codes with which the first user becomes the operator of the installation. */
export interface OperatorCodes {
  /** Makes a code to be printed once; `undefined` when an operator exists. Codes of earlier starts and other processes stay valid. */
  issue(): Promise<string | undefined>
}

export function createOperatorCodes({ db, now, randomBytes }: OperatorCodesDeps): OperatorCodes {
  return {
    async issue() {
      const code = mark + randomBase62(randomLength, randomBytes)
      return (await insertCode(db, code, now())) ? code : undefined
    },
  }
}

/**
 * Redeems a code; false when it is not valid, or another user redeemed a code first.
 *
 * The first redeemed code deletes all codes. A second transaction waits for these deletes and then finds none. A code that another process makes at
 * that moment remains, and is useless because an operator exists. When this returns false, the caller rolls back, which restores the codes.
 */
export async function consumeOperatorCode(tx: Executor, code: string): Promise<boolean> {
  const { rows } = await sql<{ readonly hash: Buffer }>`delete from operator_codes returning hash`.execute(tx)
  const given = hashOf(code)
  return rows.some(({ hash }) => hash.equals(given)) && !(await hasOperator(tx))
}

async function insertCode(db: Executor, code: string, at: Date): Promise<boolean> {
  await sql`
    delete from operator_codes where hash not in (select hash from operator_codes order by created_at desc limit ${codesMax - 1})`.execute(
    db,
  )
  const { rows } = await sql`
    insert into operator_codes (hash, created_at)
    select ${hashOf(code)}, ${at} where not exists (select from users where is_operator)
    returning 1`.execute(db)
  return rows.length === 1
}

/** A code is random and long, so a fast hash is enough. */
function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}
