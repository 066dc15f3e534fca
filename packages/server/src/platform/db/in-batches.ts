const rowsDefault = 1_000
/** Of one call: together more rows than requests and executions add in a minute. */
const batchesMax = 100

/** Deletes rows in statements of at most `limit` rows, until one finds fewer; what is left after many of them is left to the next call. */
export async function inBatches(deleteBatch: (limit: number) => Promise<number>, limit = rowsDefault): Promise<void> {
  for (let batch = 0; batch < batchesMax; batch++) if ((await deleteBatch(limit)) < limit) return
}
