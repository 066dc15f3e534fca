import { type RawBuilder, sql } from 'kysely'

/** A wait of a row of an outer query. */
export interface WaitColumns {
  readonly executionId: RawBuilder<unknown>
  readonly position: RawBuilder<unknown>
  readonly topic: string
}

/**
 * A condition: whether a wait is open. Not `exists`: expecting many rows, the planner would then read all waits of all accounts at once, while a page
 * ends after few.
 */
export function isWaitOpenSql({ executionId, position, topic }: WaitColumns): RawBuilder<boolean> {
  return sql<boolean>`coalesce((
    select true from waits w where w.execution_id = ${executionId} and w.position = ${position} and w.topic = ${sql.lit(topic)} limit 1), false)`
}
