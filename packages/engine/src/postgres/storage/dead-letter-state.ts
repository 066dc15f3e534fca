import { sql } from 'kysely'

/** Every state that a dead letter can be in, with the states that may follow it. Deletion by age is possible in each. */
export const deadLetterTransitions = {
  /** Can be replayed; retention keeps its execution for that. */
  open: ['replayed'],
  replayed: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type DeadLetterState = keyof typeof deadLetterTransitions

export const deadLetterStates = ['open', 'replayed'] as const satisfies DeadLetterState[]

export function mayFollow(from: DeadLetterState, to: DeadLetterState): boolean {
  const following: readonly DeadLetterState[] = deadLetterTransitions[from]
  return following.includes(to)
}

/** Conditions on a row of `dead_letters`. The partial indexes of the table name the first one word for word. */
export const isOpenSql = sql.raw<boolean>('replayed_at is null')
export const isReplayedSql = sql.raw<boolean>('replayed_at is not null')
