import { Fault } from '@millrace/contract'
import { type ExecutionState, executionStates } from '@millrace/engine'

/**
 * The position up to which a stream was sent. It refers to durable data only, so any process can continue the stream from it: `step` is the
 * number of journal entries that were walked, `count` the number of events of the last step that were sent, and `state` the last state that was
 * sent. The step after the last entry is the end.
 */
export interface StreamPosition {
  readonly step: number
  readonly count: number
  /** Undefined before the first event. */
  readonly state: ExecutionState | undefined
}

export const beginning: StreamPosition = { step: 0, count: 0, state: undefined }

/** The `id` of the event that leads to a position. */
export function eventIdOf({ step, count, state = 'pending' }: StreamPosition): string {
  return `${step}-${count}-${state}`
}

const form = new RegExp(`^(\\d{1,9})-(\\d{1,9})-(${executionStates.join('|')})(?:-end)?$`)

/** The position after the event of this id; the beginning without one. Fault `request_invalid` for an id of no event. */
export function resumePointOf(lastEventId: string | undefined): StreamPosition {
  if (lastEventId === undefined) return beginning
  const [, step, count, name] = form.exec(lastEventId) ?? []
  const state = executionStates.find((candidate) => candidate === name)
  if (state === undefined)
    throw new Fault('request_invalid', {
      errors: [{ pointer: '/last-event-id', detail: 'This is not the `id` of an event of this stream.', in: 'header' }],
    })
  return { step: Number(step), count: Number(count), state }
}
