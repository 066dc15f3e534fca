import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, findEmbeddedUrl, startEmbedded } from '@millrace/server'
import { Failure, messageOf } from './failure.ts'

/** A PostgreSQL that can be reached while a command needs it. */
export interface ReachedDatabase {
  readonly url: string
  readonly kind: 'embedded' | 'external'
}

/** Whether there is a database to look at: one of its own, or a built-in one that was made already. */
export async function hasDatabase({ database, home }: Config): Promise<boolean> {
  return database.url !== undefined || (await stat(join(home, 'postgres', 'data', 'PG_VERSION')).catch(() => undefined)) !== undefined
}

/**
 * The same as `withDatabase` for what works beside a server: the built-in database is that of the server that runs it. Fails where there is no database, and
 * makes none.
 */
export async function withPresentDatabase<T>(config: Config, work: (reached: ReachedDatabase) => Promise<T>): Promise<T> {
  if (!(await hasDatabase(config)))
    throw new Failure(`There is no database under ${config.home}.`, {
      hint: 'Name its directory with --home DIR, or set DATABASE_URL. "millrace start" creates a database.',
    })
  const served = config.database.url === undefined ? await findEmbeddedUrl(config.home) : undefined
  return served === undefined ? withDatabase(config, work) : work({ url: served, kind: 'embedded' })
}

/** Runs `work` with the database of the configuration, making, starting and stopping the built-in one around it where that is meant. */
export async function withDatabase<T>({ database, home }: Config, work: (reached: ReachedDatabase) => Promise<T>): Promise<T> {
  const url = database.url?.reveal()
  if (url !== undefined) return work({ url, kind: 'external' })
  const embedded = await startEmbedded({ home, randomBytes }).catch((error: unknown) => {
    throw new Failure(messageOf(error), { cause: error })
  })
  try {
    return await work({ url: embedded.url, kind: 'embedded' })
  } finally {
    await embedded.stop()
  }
}
