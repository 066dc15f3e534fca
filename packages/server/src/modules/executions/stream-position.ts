import { Fault } from '@millrace/contract'
import { type ExecutionState, executionStates } from '@millrace/engine'

/**
 * How far a stream has come. Everything in it follows from what is durably written, so any process at any time goes on from it: `step` is
 * how many entries of the journal had been walked, `count` how many of the events that the last of them led to had been sent, `state` which
 * state had been told last. The step behind the last entry is that of the end.
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

/** Where a stream that was seen up to the event of this id goes on; the beginning without one. Fault `request_invalid` when it is none. */
export function resumePointOf(lastEventId: string | undefined): StreamPosition {
  if (lastEventId === undefined) return beginning
  const [, step, count, name] = form.exec(lastEventId) ?? []
  const state = executionStates.find((candidate) => candidate === name)
  if (state === undefined)
    throw new Fault('request_invalid', {
      errors: [{ pointer: '/last-event-id', detail: 'Is no `id` of an event of this stream.', in: 'header' }],
    })
  return { step: Number(step), count: Number(count), state }
}
