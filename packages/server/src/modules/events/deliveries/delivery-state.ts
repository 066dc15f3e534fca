import { sql } from 'kysely'

/** Every state of a delivery, with the states that may follow it. */
export const deliveryTransitions = {
  /** An attempt is due, or a process has claimed it. */
  pending: ['delivered', 'failed'],
  delivered: [],
  /** It is a dead letter, whose replay makes it pending again; a test delivery is never retried. */
  failed: ['pending'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type DeliveryState = keyof typeof deliveryTransitions

export const deliveryStates = ['pending', 'delivered', 'failed'] as const satisfies DeliveryState[]

export function mayFollow(from: DeliveryState, to: DeliveryState): boolean {
  const following: readonly DeliveryState[] = deliveryTransitions[from]
  return following.includes(to)
}

/** Conditions on the column `state`. Literals, since PostgreSQL uses a partial index only where it sees its condition. */
export const isPendingSql = sql.raw<boolean>(`state = 'pending'`)
export const hasFailedSql = sql.raw<boolean>(`state = 'failed'`)
