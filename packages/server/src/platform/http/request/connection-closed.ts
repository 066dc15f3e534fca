/** The caller closed the connection, and what was done for the request ended by that. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed'

  constructor(cause: unknown) {
    super('the caller closed the connection', { cause })
  }
}

/** The error of work whose signal was aborted by a closed connection; other errors stay what they are. */
export function closedOr(error: unknown, { aborted, reason }: AbortSignal): unknown {
  const isAbort = error === reason || (error instanceof Error && error.name === 'AbortError')
  return aborted && isAbort ? new ConnectionClosed(error) : error
}
