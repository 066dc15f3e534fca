import { randomBytes } from 'node:crypto'
import { type Config, startEmbedded } from '@millrace/server'
import { Failure, messageOf } from './failure.ts'

/** A PostgreSQL that can be reached while a command needs it. */
export interface ReachedDatabase {
  readonly url: string
  readonly kind: 'embedded' | 'external'
}

/** Runs `work` with the database of the configuration, starting and stopping the built-in one around it where that is meant. */
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
