import { type Json, type JsonObject, raising, standardError } from '@millrace/engine'
import { toTypeId } from '#platform/ids.ts'
import type { Answer } from './model.ts'

export interface Decided {
  readonly id: string
  readonly approved: boolean
  readonly outcome: 'approved' | 'rejected' | 'expired'
  readonly answers: readonly Answer[]
  readonly at: Date
  /** What was shown to those who decided. */
  readonly details: Json | undefined
}

/** What the task gives. */
export function outputOf({ id, approved, outcome, answers, at, details }: Decided): JsonObject {
  const deciding = outcome === 'expired' ? undefined : answers.at(-1)
  return {
    approved,
    outcome,
    ...(deciding?.data === undefined ? {} : { data: deciding.data }),
    ...(details === undefined ? {} : { details }),
    answers: answers.map(answerView),
    approval: toTypeId('apr', id),
    decidedAt: at.toISOString(),
  }
}

/** What the task gets whose deadline fails: an error that the workflow can catch. */
export function lateness({ title }: { readonly title: string }): JsonObject {
  return raising(standardError('timeout', `Nobody has decided in time: ${title}`).data)
}

export interface AnswerView {
  readonly by: string
  readonly user?: string
  readonly name?: string
  readonly role?: string
  readonly decision: Answer['decision']
  readonly reason?: string
  readonly data?: Json
  readonly at: string
  readonly via: Answer['via']
  // So that it is JSON to the engine as well.
  readonly [member: string]: Json
}

/** An answer, as the task and the interface give it. */
export function answerView({ person, askedAs, decision, reason, data, via, at }: Answer): AnswerView {
  return {
    by: person.email,
    ...(person.userId === undefined ? {} : { user: toTypeId('usr', person.userId) }),
    ...(person.name === undefined ? {} : { name: person.name }),
    ...(askedAs.startsWith('role:') ? { role: askedAs.slice('role:'.length) } : {}),
    decision,
    ...(reason === undefined ? {} : { reason }),
    ...(data === undefined ? {} : { data }),
    at: at.toISOString(),
    via,
  }
}
