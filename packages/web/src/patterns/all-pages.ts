interface ListedPage<T> {
  readonly data: readonly T[]
  readonly nextCursor: string | null
}

/** Pages that are read at most. */
const pagesMax = 30

/** Reads all pages of a list, one after the other. */
export async function allPages<T>(read: (cursor: string | undefined) => Promise<ListedPage<T>>): Promise<readonly T[]> {
  const found: T[] = []
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const { data, nextCursor } = await read(cursor)
    found.push(...data)
    if (nextCursor === null) break
    cursor = nextCursor
  }
  return found
}
