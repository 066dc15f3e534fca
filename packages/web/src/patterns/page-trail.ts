/** The cursors of the pages that a person came from, by the cursor of the page: also after the buttons of the browser, each page knows the one before it. */
const before = new Map<string, string | undefined>()
/** Older ones are forgotten; without the page before it, a page leads to the first one. */
const keptMax = 1000

/** Remembers that a page follows another one. */
export function follows(cursor: string, page: string | undefined): void {
  before.delete(cursor)
  before.set(cursor, page)
  const [oldest] = before.keys()
  if (before.size > keptMax && oldest !== undefined) before.delete(oldest)
}

/** The cursor of the page before one; undefined for the first page. */
export function pageBefore(cursor: string | undefined): string | undefined {
  return cursor === undefined ? undefined : before.get(cursor)
}
