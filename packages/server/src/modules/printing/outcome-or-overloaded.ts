import { Fault } from '@millrace/contract'
import { ThreadPoolError } from '@millrace/engine/threads'

/** The outcome of a job. Fault `overloaded` with `full` when too many wait, with `late` when the job was stopped. */
export async function outcomeOrOverloaded<Outcome>(
  outcome: Promise<Outcome | undefined>,
  details: { readonly full: string; readonly late: string },
): Promise<Outcome> {
  const made = await outcome.catch((error: unknown) => {
    if (!(error instanceof ThreadPoolError)) throw error
    throw new Fault('overloaded', { detail: details.full, retryAfterSeconds: 5, cause: error })
  })
  if (made === undefined) throw new Fault('overloaded', { detail: details.late, retryAfterSeconds: 30 })
  return made
}
