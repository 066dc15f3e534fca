import { toTypeId } from '#platform/ids.ts'
import type { CapturedEvent, CaptureSession, StoredEvent } from './model.ts'

/** A session as it stands on the wire. */
export function sessionView(session: CaptureSession, now: Date) {
  const { id, name, maskInputs, events, lastSequence, workflowId, createdAt, expiresAt, stoppedAt } = session
  const state: CaptureSession['state'] | 'expired' = session.state === 'recording' && expiresAt <= now ? 'expired' : session.state
  return {
    id: toTypeId('cap', id),
    name,
    state,
    maskInputs,
    events,
    lastSequence: lastSequence ?? null,
    workflowId: workflowId === undefined ? null : toTypeId('wf', workflowId),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    stoppedAt: stoppedAt?.toISOString() ?? null,
  }
}

/** The events that a person understands: not the lists of elements. */
export function eventViews(events: readonly StoredEvent[]): CapturedEvent[] {
  return events.flatMap((event) => {
    if (event.kind === 'elements') return []
    const { element, ...rest } = event
    return [element === undefined ? rest : { ...rest, selector: rest.selector ?? `element ${element}` }]
  })
}
