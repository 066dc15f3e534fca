import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, type DatabaseConnection, PostgresDialect, PostgresDriver } from 'kysely'
import type pg from 'pg'

/** A dialect whose transactions are bound to an account when they begin. */
export interface AccountDialect {
  readonly dialect: PostgresDialect
  /** Transactions that begin within `fn` are bound to this account. */
  within<T>(accountId: string, fn: () => Promise<T>): Promise<T>
}

/**
 * Makes the dialect. `begin` and the binding are one message, which saves every request one of four round trips, and no transaction begins
 * unbound.
 */
export function createAccountDialect(pool: pg.Pool): AccountDialect {
  const current = new AsyncLocalStorage<string>()
  class AccountDriver extends PostgresDriver {
    override async beginTransaction(connection: DatabaseConnection): Promise<void> {
      const accountId = current.getStore()
      if (accountId === undefined) throw new Error('a transaction of the account pool began outside of account()')
      // Two statements in one message cannot have parameters. account() accepts only a UUID.
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
