const rowsDefault = 1_000
/** Together more rows than requests and executions add in a minute. */
const batchesDefault = 100

/** Deletes rows in statements of at most `limit` rows, until one finds fewer; what is left after `batchesMax` of them is left to the next call. */
export async function inBatches(
  deleteBatch: (limit: number) => Promise<number>,
  limit = rowsDefault,
  batchesMax = batchesDefault,
): Promise<void> {
  for (let batch = 0; batch < batchesMax; batch++) if ((await deleteBatch(limit)) < limit) return
}
