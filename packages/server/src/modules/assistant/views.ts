import type { JsonValue } from '@millrace/contract'
import { toTypeId } from '#platform/ids.ts'
import type { Conversation, EmailDraft, Message, Proposal } from './model.ts'

export function conversationView({ id, title, createdAt, updatedAt }: Conversation) {
  return { id: toTypeId('conv', id), title, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

export function messageView({ id, role, text, proposals, drafts, createdAt }: Message) {
  return {
    id: toTypeId('msg', id),
    role,
    text,
    proposals: proposals.map((proposal) => toTypeId('prop', proposal)),
    drafts: drafts.map((draft) => toTypeId('draft', draft)),
    createdAt: createdAt.toISOString(),
  }
}

/** A proposal as it stands on the wire; the action is what its digest is of. */
export function proposalView(proposal: Proposal, now: Date) {
  const { id, kind, summary, action, digest, result, reason, conversationId, createdAt, expiresAt, decidedAt } = proposal
  const state: Proposal['state'] | 'expired' = proposal.state === 'pending' && expiresAt <= now ? 'expired' : proposal.state
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A parsed JSON text is JSON.
  const shown = JSON.parse(action) as JsonValue
  return {
    id: toTypeId('prop', id),
    kind,
    summary,
    action: shown,
    digest,
    state,
    result: result ?? null,
    reason: reason ?? null,
    conversationId: conversationId === undefined ? null : toTypeId('conv', conversationId),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }
}

export function draftView({ id, to, subject, body, digest, state, reason, conversationId, createdAt, decidedAt }: EmailDraft) {
  return {
    id: toTypeId('draft', id),
    to: [...to],
    subject,
    body,
    digest,
    state,
    reason: reason ?? null,
    conversationId: conversationId === undefined ? null : toTypeId('conv', conversationId),
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }
}
