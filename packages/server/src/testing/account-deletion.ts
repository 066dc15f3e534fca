import { randomBytes } from 'node:crypto'
import { type AccountParts, composeAccountDeletion } from '#compose/accounts.ts'
import type { AccountDeletion } from '#modules/accounts/index.ts'

interface Options {
  /** Nothing is to be cancelled unless given. */
  readonly engine?: AccountParts['engine']
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  /** A failure is thrown unless given. */
  readonly logger?: AccountParts['logger']
}

const throws = {
  warn(details: unknown) {
    throw new Error('a deleted account was not purged', { cause: details })
  },
}

/** The deletion of accounts as the maintenance of another process runs it, which may have a clock of its own. */
export function accountDeletionOf(
  database: AccountParts['database'],
  { engine, now = Date.now, logger = throws }: Options = {},
): AccountDeletion {
  return composeAccountDeletion({
    database,
    logger,
    engine: engine ?? { cancel: () => Promise.reject(new Error('there is nothing to cancel')) },
    mail: { isAvailable: false, prepare: () => Promise.resolve(), send: () => Promise.resolve() },
    config: { deletionGraceMs: 0, http: { publicUrl: undefined, host: '127.0.0.1', port: 0 } },
    system: { now, randomBytes },
  })
}
