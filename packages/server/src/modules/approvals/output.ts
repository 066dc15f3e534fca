import { type Json, type JsonObject, raising, standardError } from '@millrace/engine'
import { toTypeId } from '#platform/ids.ts'
import type { Decision } from './model.ts'

export interface ApprovalResult {
  readonly id: string
  readonly approved: boolean
  readonly outcome: 'approved' | 'rejected' | 'expired'
  readonly decisions: readonly Decision[]
  readonly at: Date
  /** The details that the approvers saw. */
  readonly details: Json | undefined
}

/** The output of the task. */
export function resultOutput({ id, approved, outcome, decisions, at, details }: ApprovalResult): JsonObject {
  const deciding = outcome === 'expired' ? undefined : decisions.at(-1)
  return {
    approved,
    outcome,
    ...(deciding?.data === undefined ? {} : { data: deciding.data }),
    ...(details === undefined ? {} : { details }),
    answers: decisions.map(decisionView),
    approval: toTypeId('apr', id),
    decidedAt: at.toISOString(),
  }
}

/** The message that fails the task at its deadline with an error that the workflow can catch. */
export function deadlineError({ title }: { readonly title: string }): JsonObject {
  return raising(standardError('timeout', `No decision before the deadline: ${title}`).data)
}

export interface DecisionView {
  readonly by: string
  readonly user?: string
  readonly name?: string
  readonly role?: string
  readonly decision: Decision['choice']
  readonly reason?: string
  readonly data?: Json
  readonly at: string
  readonly via: Decision['via']
  // The engine's type of JSON objects needs an index signature.
  readonly [member: string]: Json
}

/** A decision as the output of the task and the API have it. */
export function decisionView({ person, approverKey, choice: decision, reason, data, via, at }: Decision): DecisionView {
  return {
    by: person.email,
    ...(person.userId === undefined ? {} : { user: toTypeId('usr', person.userId) }),
    ...(person.name === undefined ? {} : { name: person.name }),
    ...(approverKey.startsWith('role:') ? { role: approverKey.slice('role:'.length) } : {}),
    decision,
    ...(reason === undefined ? {} : { reason }),
    ...(data === undefined ? {} : { data }),
    at: at.toISOString(),
    via,
  }
}
