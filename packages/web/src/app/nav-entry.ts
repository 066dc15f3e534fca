/** A page that the rail may show. */
export interface NavEntry {
  readonly path: string
  readonly label: string
  readonly icon: string
  /** The operation without which the page has no use, as `group.name`. */
  readonly needs?: string
  readonly scope?: string
  readonly operator?: boolean
}
