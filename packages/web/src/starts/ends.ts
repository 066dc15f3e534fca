import { m } from '#src/messages/messages.ts'
import { typeOf } from '#src/values/run-events.ts'

/** The types of events of each choice. */
export const endTypes = {
  failed: [typeOf('faulted')],
  failedOrCancelled: [typeOf('faulted'), typeOf('cancelled')],
  completed: [typeOf('completed')],
  any: [typeOf('completed'), typeOf('faulted'), typeOf('cancelled')],
} as const
export type End = keyof typeof endTypes
export const endKinds = ['failed', 'failedOrCancelled', 'completed', 'any'] as const

/** A start with its event, if it is one by events. */
interface WithEvent {
  readonly event: { readonly types: readonly string[]; readonly workflows?: readonly string[] | undefined } | null
}

/** The ends of runs that a start waits for; undefined for one that waits for other events. */
export function endOf({ event }: WithEvent): End | undefined {
  if (event === null) return undefined
  const types = new Set<string>(event.types)
  return endKinds.find((kind) => types.symmetricDifference(new Set<string>(endTypes[kind])).size === 0)
}

/** Whose ends a start waits for, in words. */
export function ofWorkflows({ event }: WithEvent): string {
  return event?.workflows === undefined ? m.ends.all : m.ends.ofWorkflows(event.workflows.length)
}
