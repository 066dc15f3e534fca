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

/** The first entry of a list that fits, wherever it stands; undefined where none does. */
export async function findInPages<T>(
  read: (cursor: string | undefined) => Promise<ListedPage<T>>,
  fits: (entry: T) => boolean,
): Promise<T | undefined> {
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const { data, nextCursor } = await read(cursor)
    const found = data.find(fits)
    if (found !== undefined || nextCursor === null) return found
    cursor = nextCursor
  }
  return undefined
}
