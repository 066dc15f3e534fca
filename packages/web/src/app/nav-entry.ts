/** A page that the rail may show. */
export interface NavEntry {
  readonly path: string
  readonly label: string
  readonly icon: string
  /** The operation without which the page has no use, as `group.name`. */
  readonly needs?: string
  /** The page has a use for who has one of these scopes. */
  readonly scopes?: readonly string[]
  readonly operator?: boolean
  /** Pages that belong together: the rail shows them by this entry, and each of them shows the others above it. */
  readonly pages?: readonly NavEntry[]
}

/** The pages that an entry of the rail stands for. */
export function pagesOf(entry: NavEntry): readonly NavEntry[] {
  return entry.pages ?? [entry]
}
