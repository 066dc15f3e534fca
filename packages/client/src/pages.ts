interface Page<Item> {
  readonly data: readonly Item[]
  readonly nextCursor: string | null
}

/**
 * Iterates over all entries of a list and fetches the next page when it is needed:
 * `for await (const workflow of every((cursor) => client.workflows.list({ query: { tag, cursor } })))`.
 */
export async function* every<Item>(page: (cursor: string | undefined) => Promise<Page<Item>>): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined
  do {
    const { data, nextCursor } = await page(cursor)
    yield* data
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}
