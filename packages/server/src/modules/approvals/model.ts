import type { Role } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import type { AccountFile } from '#modules/files/index.ts'
import type { ApprovalState } from './approval-state.ts'

/** The name of the catalog function, and the topic of its waits. */
export const approvalTopic = 'approve'

/** Of the notifications that ask users to decide. */
export const waitingKind = 'approval.waiting'

/** The cause of the notifications that ask users about one approval. */
export const waitingGroupOf = (approvalId: string): string => `approval:${approvalId}`

/** What an approver can decide. */
export type Choice = 'approve' | 'reject'

/** A question to people that a workflow waits for. Ids are UUIDs. */
export interface Approval {
  readonly id: string
  readonly accountId: string
  readonly executionId: string
  /** The position of the wait in its execution. */
  readonly position: string
  readonly arguments: Json
  readonly openedAt: Date
  readonly state: ApprovalState
  /** Who decides in place of approvers, in this order. */
  readonly reassigned?: readonly Reassignment[] | undefined
  /** How many stages of its plan have begun. */
  readonly stagesTaken: number
  /** The number of the last stage whose beginning is in the audit log as an escalation; 0 for none. */
  readonly escalated: number
  /** Ids of users who started the execution and may not decide. */
  readonly excludedUserIds: readonly string[]
  readonly endedAt: Date | undefined
  /** Whether its execution still waits for it; meaningful while it is open. */
  readonly isAwaited: boolean
}

/** A user who decides in place of an approver. */
export interface Reassignment {
  /** The key of the approver in the plan. */
  readonly from: string
  /** The id of the user. */
  readonly to: string
}

/** A person who may decide or has decided. */
export interface Person {
  /** `user:…` for a user of the account, else `mail:…`. */
  readonly key: string
  readonly userId: string | undefined
  readonly email: string
  readonly name: string | undefined
  /** The role of a user of the account. */
  readonly role: Role | undefined
}

/** A decision as an approver gives it. */
export interface GivenDecision {
  readonly choice: Choice
  readonly reason: string | undefined
  readonly data: Json | undefined
}

/** The recorded decision of one approver. */
export interface Decision extends GivenDecision {
  readonly person: Person
  /** The key of the approver in the plan for which it counts. */
  readonly approverKey: string
  readonly via: 'api' | 'link'
  /** The mail whose link was used. */
  readonly mailId: string | undefined
  readonly at: Date
}

/** A mail about an approval: with a link to decide, or as a notice only. */
export interface ApprovalMail {
  readonly id: string
  readonly kind: 'link' | 'notice'
  readonly email: string
  readonly attempts: number
  readonly nextAttemptAt: Date | undefined
  readonly sentAt: Date | undefined
  readonly failure: string | undefined
}

export interface ApprovalRecord {
  readonly approval: Approval
  readonly decisions: readonly Decision[]
  readonly mails: readonly ApprovalMail[]
}

/** The approval and the recipient that the token of a link belongs to. */
export interface ApprovalLink {
  readonly accountId: string
  readonly approvalId: string
  readonly mailId: string
  readonly email: string
  readonly name: string | undefined
  /** The user whom it was sent to. Another person who has the address by now may not use the link. */
  readonly userId: string | undefined
}

/** Everything that the page behind a link shows. */
export interface LinkContent {
  readonly link: ApprovalLink
  readonly approval: Approval
  readonly decision: Decision | undefined
  /** Whether the recipient is still asked: only then do they see what the question is about. */
  readonly isAsked: boolean
  /** Those that the details name. */
  readonly files: readonly AccountFile[]
}
