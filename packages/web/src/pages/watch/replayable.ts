const kinds = ['execution', 'event_delivery'] as const

interface Shown {
  readonly replayedAt: string | null
}

interface Replay {
  readonly filter: { readonly kind?: (typeof kinds)[number] }
}

/** What replays all that a page shows, by the kind it is filtered by; undefined where fewer than two wait. */
export function replayable(letters: readonly Shown[], shownKind: string | undefined): Replay | undefined {
  if (letters.filter(({ replayedAt }) => replayedAt === null).length < 2) return undefined
  const kind = kinds.find((one) => one === shownKind)
  return { filter: kind === undefined ? {} : { kind } }
}
