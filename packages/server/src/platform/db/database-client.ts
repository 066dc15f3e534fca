import pg from 'pg'

/**
 * A client of PostgreSQL that always has an `error` listener. A connection can break at any moment and report it more than once (an error, then the
 * end of the stream). pg-pool removes its listener while a client is in use, and an `error` event without a listener ends the process. The listener
 * hides nothing: the current statement is rejected, and so is every later one.
 *
 * A statement that begins with a mark of `preparedMark` is prepared: Kysely, which makes the text, knows no names of statements.
 */
export class DatabaseClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('error', () => undefined)
    // Defined here and not overridden, so that the eight overloads of pg keep their types.
    Object.defineProperty(this, 'query', { value: (...args: readonly unknown[]) => Reflect.apply(super.query, this, withName(args)) })
  }
}

/** The arguments of `query`, with a name for a text that has one. */
function withName(args: readonly unknown[]): readonly unknown[] {
  const [text, values] = args
  const name = typeof text === 'string' && args.length === 2 && Array.isArray(values) ? nameIn(text) : undefined
  return name === undefined ? args : [{ name, text, values }]
}

/** Begins the text of a statement that each connection plans once, under this name. The text may not vary. */
export function preparedMark(name: string): string {
  return `/* prepared ${name} */ `
}

function nameIn(text: string): string | undefined {
  return text.startsWith('/* prepared ') ? text.slice('/* prepared '.length, text.indexOf(' */')) : undefined
}

/** For the configuration of a pool: makes its clients instances of DatabaseClient. */
export const pooledClient = { Client: DatabaseClient } as const
