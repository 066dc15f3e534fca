/** A page that the rail may show. */
export interface NavEntry {
  readonly path: string
  readonly label: string
  readonly icon: string
  /** The operation without which the page has no use, as `group.name`. */
  readonly needs?: string
  readonly scope?: string
  /** The weakest role that may open the page. */
  readonly role?: 'admin' | 'owner'
  readonly operator?: boolean
}
