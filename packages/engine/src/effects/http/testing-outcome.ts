import { HttpCallError } from './http-call-error.ts'

/** The error that a call failed with; throws when it did not fail as a call fails. */
export async function failureOf(calling: Promise<unknown>): Promise<HttpCallError> {
  const [outcome] = await Promise.allSettled([calling])
  if (outcome.status === 'rejected' && outcome.reason instanceof HttpCallError) return outcome.reason
  throw new Error('the call did not fail as a call fails', { cause: outcome })
}

/** Does one after another, and gives all results. */
export function inTurn<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  return items.reduce<Promise<R[]>>(async (before, item) => [...(await before), await run(item)], Promise.resolve([]))
}
