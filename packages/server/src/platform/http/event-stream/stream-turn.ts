/** The turns of one stream. */
export interface StreamTurn {
  /** Resolves when the stream may make its next piece. */
  next(): Promise<void>
}

/** Shares this thread among the streams. */
export interface StreamTurns {
  of(accountId: string): StreamTurn
}
