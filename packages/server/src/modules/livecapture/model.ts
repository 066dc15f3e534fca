import type { livecapture, Received, Reply } from '@millrace/contract'

type Body = Received<typeof livecapture.events>['body']

/** An event as the interface describes it. */
export type CapturedEvent = NonNullable<Body['events']>[number]

/** An element of a page that rrweb recorded. */
export interface PageElement {
  readonly selector: string
  readonly label: string | undefined
  readonly field: string | undefined
  readonly secret: boolean
}

/** An event of rrweb that only lists elements of the page, by their ids there. */
interface ElementsEvent {
  readonly sequence: number
  readonly kind: 'elements'
  readonly elements: Readonly<Record<string, PageElement>>
}

export type StoredEvent = (CapturedEvent & { readonly element?: number }) | ElementsEvent

export interface CaptureSession {
  readonly id: string
  readonly name: string
  readonly state: 'recording' | 'stopping' | 'stopped'
  readonly maskInputs: boolean
  readonly events: number
  readonly lastSequence: number | undefined
  readonly workflowId: string | undefined
  readonly draft: DraftSummary | undefined
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly stoppedAt: Date | undefined
}

/** What the draft of a session has. */
export type DraftSummary = Omit<Reply<typeof livecapture.stop>['draft'], 'workflowId'>

/** Events of one session. */
export const eventsMax = 5_000
/** Sessions of one account that record at a time. */
export const sessionsMax = 100
