import pg from 'pg'

/**
 * A client of PostgreSQL that has an `error` listener for its whole life. A connection can break at any moment, and more than once in its own
 * words (an error, then the end of the stream); pg-pool takes its listener off while a client is lent, and an `error` event without a listener
 * ends the process. Nothing is lost by it: the statement under way is rejected, and so is every later one.
 */
export class DatabaseClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('error', () => undefined)
  }
}

/** For the configuration of a pool: its clients are such. */
export const pooledClient = { Client: DatabaseClient } as const
