export const letterKinds = ['execution', 'event_delivery'] as const
export type LetterKind = (typeof letterKinds)[number]

/** Work that was given up; ids are uuids. */
export interface DeadLetter {
  readonly id: string
  readonly kind: LetterKind
  readonly reason: string
  readonly attempts: number
  readonly executionId: string | undefined
  readonly workflowId: string | undefined
  readonly subscriptionId: string | undefined
  readonly deliveryId: string | undefined
  readonly createdAt: Date
  readonly replayedAt: Date | undefined
  /** As `kind:id`. */
  readonly replayedBy: string | undefined
  /** The execution that goes on from it. */
  readonly replayedAs: string | undefined
}

/** A letter with what was to be done, as JSON text. */
export interface WholeLetter extends DeadLetter {
  readonly payload: string
}

/** What of a filter is undefined does not matter. */
export interface LetterFilter {
  readonly kind: LetterKind | undefined
  readonly workflowId: string | undefined
  readonly from: Date | undefined
  readonly to: Date | undefined
  readonly replayed: boolean | undefined
}
