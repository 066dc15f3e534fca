import type { Role } from '@millrace/contract'
import type { Json } from '@millrace/engine'

/** The function of the default catalog, and the topic of its waits. */
export const approvalTopic = 'approve'

export type ApprovalState = 'open' | 'approved' | 'rejected' | 'expired' | 'closed'
export type Decision = 'approve' | 'reject'

/** What a waiting task asks people. Ids are uuids. */
export interface Approval {
  readonly id: string
  readonly accountId: string
  readonly executionId: string
  /** Of the wait in its execution. */
  readonly position: string
  readonly arguments: Json
  readonly openedAt: Date
  readonly state: ApprovalState
  /** How many steps of asking people have been taken. */
  readonly steps: number
  /** Ids of users who started the execution and may not answer. */
  readonly barred: readonly string[]
  readonly endedAt: Date | undefined
  /** Whether its execution waits for it; only that of an open approval says anything. */
  readonly awaited: boolean
}

/** Somebody who is asked or answers. */
export interface Person {
  /** `user:…` for a user of the account, else `mail:…`. */
  readonly key: string
  readonly userId: string | undefined
  readonly email: string
  readonly name: string | undefined
  /** Of a user of the account. */
  readonly role: Role | undefined
}

export interface Answer {
  readonly person: Person
  /** The key of the entry for which it counts. */
  readonly askedAs: string
  readonly decision: Decision
  readonly reason: string | undefined
  readonly data: Json | undefined
  readonly via: 'api' | 'link'
  /** The mail whose link was used. */
  readonly mailId: string | undefined
  readonly at: Date
}

/** What somebody says. */
export interface Verdict {
  readonly decision: Decision
  readonly reason: string | undefined
  readonly data: Json | undefined
}

/** A mail to somebody who is asked, or told. */
export interface ApprovalMail {
  readonly id: string
  readonly kind: 'link' | 'notice'
  readonly email: string
  readonly attempts: number
  readonly nextAttemptAt: Date | undefined
  readonly sentAt: Date | undefined
  readonly failure: string | undefined
}

/** An approval with all that has become of it. */
export interface ApprovalRecord {
  readonly approval: Approval
  readonly answers: readonly Answer[]
  readonly mails: readonly ApprovalMail[]
}

/** Whose link a token is of. */
export interface LinkOwner {
  readonly accountId: string
  readonly approvalId: string
  readonly mailId: string
  readonly email: string
  readonly name: string | undefined
  /** The user whom it was sent to; somebody else who has the address since is not them. */
  readonly userId: string | undefined
}

/** What whoever has a link gets to see. */
export interface Shown {
  readonly link: LinkOwner
  readonly approval: Approval
  readonly answer: Answer | undefined
}
