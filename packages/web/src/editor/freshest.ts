import { onlineManager, type QueryClient, type QueryKey } from '@tanstack/react-query'

interface Known<T> {
  readonly queryKey: QueryKey
  readonly queryFn: () => Promise<T>
  /** What the page shows. */
  readonly known: T
}

/** What the page has just read is not read again. */
const freshMs = 2000
/** A server that takes longer keeps no one from editing. */
const waitMsMax = 3000

/**
 * A thing as the server has it: what a page knows of an earlier visit may have been changed since, by another person or another page. Without an answer of the
 * server it is what is known.
 */
export async function freshest<T>(queries: QueryClient, { queryKey, queryFn, known }: Known<T>): Promise<T> {
  const latest = () => queries.getQueryData<T>(queryKey) ?? known
  if (!onlineManager.isOnline()) return latest()
  const late = new Promise<void>((resolve) => setTimeout(resolve, waitMsMax))
  const read = queries.fetchQuery<T>({ queryKey, queryFn, staleTime: freshMs, retry: false }).catch(() => undefined)
  await Promise.race([read, late])
  return latest()
}
