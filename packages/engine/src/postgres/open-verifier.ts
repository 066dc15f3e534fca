import { terminalStatesSql } from '#core/execution-state.ts'
import type { Pool } from 'pg'
import type { Definitions } from '#durable/ports/definitions.ts'
import type { Secrets } from '#durable/ports/effects.ts'
import { verifyExecution } from '#durable/replay/retry.ts'
import type { Verdict } from '#durable/replay/verify.ts'
import { readRecord } from './journal/execution-record.ts'

export interface VerifierDeps {
  readonly pool: Pick<Pool, 'query'>
  readonly definitions: Pick<Definitions, 'load'>
  readonly secrets: Secrets
  /** Of Millrace, for `$runtime.version`. */
  readonly version: string
  /** As the engine has it. */
  readonly publicId?: (executionId: string) => string
}

/** Compares executions with their journals; read-only. */
export interface Verifier {
  /**
   * @param isErased whether data of a person was erased in it.
   * @returns undefined when there is no such execution.
   */
  verify(executionId: string, isErased?: boolean): Promise<Verdict | undefined>
  /** Ids of ended executions after the id `after`, oldest first. */
  ended(after: string | undefined, limit: number): Promise<readonly string[]>
}

export function openVerifier(deps: VerifierDeps): Verifier {
  const { pool } = deps
  const store = { findRecord: (accountId: string, id: string) => readRecord(pool, accountId, id) }
  return {
    async verify(executionId, isErased = false) {
      const { rows } = await pool.query<{ account_id: string }>(`select account_id from executions where id = $1`, [executionId])
      return rows[0] === undefined ? undefined : verifyExecution({ ...deps, store }, rows[0].account_id, executionId, { isErased })
    },
    async ended(after, limit) {
      const { rows } = await pool.query<{ id: string }>(
        `select id from executions where state in ${terminalStatesSql} and id > $1 order by id limit $2`,
        [after ?? '00000000-0000-0000-0000-000000000000', limit],
      )
      return rows.map(({ id }) => id)
    },
  }
}
