interface Progress {
  readonly endedAt: string | null
  readonly turns: number
  readonly toolCalls: number
}

/** The later one of what a list says of an agent run and what its stream said last: a stream that rested or was lost says nothing of an end. */
export function newest<T extends Progress>(listed: T, live: T | undefined): T {
  if (live === undefined || (listed.endedAt !== null && live.endedAt === null)) return listed
  return live.turns + live.toolCalls < listed.turns + listed.toolCalls ? listed : live
}
