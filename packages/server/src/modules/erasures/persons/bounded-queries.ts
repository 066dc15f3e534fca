import { Fault } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import { errorCode } from '#platform/error-code.ts'
import type { Rows } from '#platform/db/rows.ts'

export interface SearchTime {
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal
  /** When the search has to have ended, in milliseconds since 1970. */
  readonly until: number
}

/** Runs one query of a search. */
export type RunQuery = <T>(query: (tx: Kysely<Rows>) => Promise<T>) => Promise<T>

/** Queries that PostgreSQL cancels when the time of a search is over: the connections of the system have no time limit of their own. Fault `overloaded`. */
export function boundedQueries(db: Kysely<Rows>, now: () => number, { signal, until }: SearchTime): RunQuery {
  return async (query) => {
    const left = Math.ceil(until - now())
    if (signal.aborted || left <= 0) throw tooMuch()
    try {
      return await db
        .transaction()
        .setAccessMode('read only')
        .execute(async (tx) => {
          await sql`select set_config('statement_timeout', ${String(left)}, true)`.execute(tx)
          return query(tx)
        })
    } catch (error) {
      if (errorCode(error) === queryCanceled) throw tooMuch(error)
      throw error
    }
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const queryCanceled = '57014'

const tooMuch = (cause?: unknown) =>
  new Fault('overloaded', {
    detail: 'The account has too much to be searched now. A report and an erasure take the time that they need.',
    cause,
  })
