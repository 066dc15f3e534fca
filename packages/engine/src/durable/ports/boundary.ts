export type BoundaryName =
  | 'accept-submitted'
  | 'accept-committed'
  | 'effect-starting'
  | 'effect-done'
  | 'entry-submitted'
  | 'entry-committed'
  | 'park-submitted'
  | 'park-committed'
  | 'end-submitted'
  | 'end-committed'
  | 'claimed'
  | 'replayed'

/** Named points between two durable steps. A crash test stops the process at each of them. */
export type Boundary = (name: BoundaryName) => void
