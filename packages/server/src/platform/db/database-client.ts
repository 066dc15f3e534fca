import pg from 'pg'

/**
 * A client of PostgreSQL that always has an `error` listener. A connection can break at any moment and report it more than once (an error, then the
 * end of the stream). pg-pool removes its listener while a client is in use, and an `error` event without a listener ends the process. The listener
 * hides nothing: the current statement is rejected, and so is every later one.
 */
export class DatabaseClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('error', () => undefined)
  }
}

/** For the configuration of a pool: makes its clients instances of DatabaseClient. */
export const pooledClient = { Client: DatabaseClient } as const
