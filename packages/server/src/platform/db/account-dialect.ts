import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, type DatabaseConnection, PostgresDialect, PostgresDriver } from 'kysely'
import type pg from 'pg'

/** A dialect whose transactions are bound to an account as they begin. */
export interface AccountDialect {
  readonly dialect: PostgresDialect
  /** Transactions that begin within `fn` are those of this account. */
  within<T>(accountId: string, fn: () => Promise<T>): Promise<T>
}

/**
 * Makes it. `begin` and the binding go to the server together, which saves every request one of four round trips, and leaves no
 * transaction that has begun and is not bound.
 */
export function createAccountDialect(pool: pg.Pool): AccountDialect {
  const current = new AsyncLocalStorage<string>()
  class AccountDriver extends PostgresDriver {
    override async beginTransaction(connection: DatabaseConnection): Promise<void> {
      const accountId = current.getStore()
      if (accountId === undefined) throw new Error('a transaction of the account pool began outside of account()')
      // Two statements in one message take no parameters. account() lets nothing but a UUID through.
      await connection.executeQuery(CompiledQuery.raw(`begin; set local millrace.account_id = '${accountId}'`))
    }
  }
  class Dialect extends PostgresDialect {
    override createDriver(): PostgresDriver {
      return new AccountDriver({ pool })
    }
  }
  return { dialect: new Dialect({ pool }), within: async (accountId, fn) => await current.run(accountId, fn) }
}
