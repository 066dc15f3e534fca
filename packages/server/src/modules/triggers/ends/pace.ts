import { type Kysely, sql } from 'kysely'
import { waitingMax } from '#modules/triggers/firing/skip-store.ts'
import type { Rows } from '#platform/db/rows.ts'

/** Executions that one trigger starts by ends in a window. */
export const startsMax = 60
const windowMs = 60_000

/** What a trigger has started by ends. */
export interface Pace {
  /** Begin of the current window. */
  readonly sinceMs: number
  readonly started: number
  /** Firings that wait for a later window. */
  readonly waiting: number
}

/** When a firing starts: now, at a later time, or never, because too many wait. */
export type Turn = 'now' | 'never' | { readonly atMs: number }

/** The reason for which a firing starts nothing. */
export const overrunReason = `More than ${startsMax} executions a minute ended, and ${waitingMax.toLocaleString('en')} ends wait already. Further ends start nothing until fewer wait.`

/** Gives a firing its turn. Those that wait are spread over the next windows in the order in which they asked. */
export function takeTurn(pace: Pace, nowMs: number): { readonly turn: Turn; readonly next: Pace } {
  const isOver = nowMs >= pace.sinceMs + windowMs
  const { sinceMs, started, waiting } = isOver ? { sinceMs: nowMs, started: 0, waiting: pace.waiting } : pace
  if (started < startsMax) return { turn: 'now', next: { sinceMs, started: started + 1, waiting } }
  if (waiting >= waitingMax) return { turn: 'never', next: pace }
  const atMs = sinceMs + windowMs * (1 + Math.floor(waiting / startsMax)) + (waiting % startsMax)
  return { turn: { atMs }, next: { sinceMs, started, waiting: waiting + 1 } }
}

/** The paces of triggers whose rows are locked. */
export interface Paces {
  take(triggerId: string, nowMs: number): Turn
  save(tx: Kysely<Rows>): Promise<void>
}

export async function readPaces(tx: Kysely<Rows>, triggerIds: readonly string[], now: Date): Promise<Paces> {
  const { rows } =
    triggerIds.length === 0
      ? { rows: [] }
      : await sql<{ readonly id: string; readonly since: Date | null; readonly started: number; readonly waiting: number }>`
          select t.id, t.ends_since as since, t.ends_started as started, (
            select count(*)::int4 from trigger_firings f where f.trigger_id = t.id and f.execution_id is not null and f.ready_at > ${now}
          ) as waiting
          from triggers t where t.id = any(${triggerIds}::uuid[])`.execute(tx)
  const paces = new Map<string, Pace>(rows.map(({ id, since, ...pace }) => [id, { ...pace, sinceMs: since?.getTime() ?? 0 }]))
  const changed = new Set<string>()
  return {
    take(triggerId, nowMs) {
      const pace = paces.get(triggerId)
      if (pace === undefined) return 'now'
      const { turn, next } = takeTurn(pace, nowMs)
      paces.set(triggerId, next)
      if (turn === 'now') changed.add(triggerId)
      return turn
    },
    async save(executor) {
      const taken = [...changed].flatMap((id) => {
        const pace = paces.get(id)
        return pace === undefined ? [] : [{ id, ...pace }]
      })
      if (taken.length === 0) return
      await sql`
        update triggers t set ends_since = p.since, ends_started = p.started
        from unnest(${taken.map(({ id }) => id)}::uuid[], ${taken.map(({ sinceMs }) => new Date(sinceMs).toISOString())}::timestamptz[],
          ${taken.map(({ started }) => started)}::int4[]) as p (id, since, started)
        where t.id = p.id`.execute(executor)
    },
  }
}
