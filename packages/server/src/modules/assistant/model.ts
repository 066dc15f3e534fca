import type { AssistantAction } from '@millrace/contract'
import type * as z from 'zod'

/** What the assistant proposes. */
export type Action = z.output<typeof AssistantAction>
export type EmailContent = Omit<Extract<Action, { kind: 'email.draft' }>, 'kind'>
/** An action that needs a confirmation; an e-mail draft has an approval of its own. */
export type ProposedAction =
  | Exclude<Action, { kind: 'email.draft' | 'workflow.run' }>
  /** `version` is the number of the version that was shown; absent in proposals of earlier releases. */
  | (Extract<Action, { kind: 'workflow.run' }> & { readonly version?: number })

/** The user to whom all of it belongs. */
export interface Owner {
  readonly accountId: string
  readonly userId: string
}

export interface Conversation {
  readonly id: string
  readonly title: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface Message {
  readonly id: string
  readonly conversationId: string
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly proposals: readonly string[]
  readonly drafts: readonly string[]
  readonly createdAt: Date
}

export interface Proposal {
  readonly id: string
  readonly conversationId: string | undefined
  readonly kind: ProposedAction['kind']
  readonly summary: string
  /** JSON as it was shown. */
  readonly action: string
  readonly digest: string
  readonly state: 'pending' | 'confirmed' | 'done' | 'failed' | 'rejected'
  readonly result: Readonly<Record<string, string>> | undefined
  readonly reason: string | undefined
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly decidedAt: Date | undefined
}

export interface EmailDraft extends EmailContent {
  readonly id: string
  readonly conversationId: string | undefined
  readonly digest: string
  readonly state: 'draft' | 'sent' | 'rejected'
  readonly reason: string | undefined
  readonly createdAt: Date
  readonly decidedAt: Date | undefined
}

/** What one question or goal led to. */
export interface Prepared {
  readonly proposals: readonly Proposal[]
  readonly drafts: readonly EmailDraft[]
}

export interface Page {
  readonly before: string | undefined
  readonly limit: number
}

/** Proposals and drafts of one user that wait for a decision. */
export const waitingMax = 200
/** Conversations of one user. */
export const conversationsMax = 1_000
export const proposalLifeMs = 60 * 60 * 1000
