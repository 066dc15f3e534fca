import { sql } from 'kysely'
import type { Executor } from './usage-store.ts'

export interface ReservationDeps {
  readonly db: Executor
  /** What is committed of the meter, now. */
  readonly used: (accountId: string) => Promise<number>
  readonly pause: (ms: number) => Promise<unknown>
}

/** Work that is started only if it is within the limit. */
interface Waiting {
  /** @returns when the work has ended, whether it succeeded or not. */
  readonly start: () => Promise<void>
  readonly refuse: (error: unknown) => void
}

/** The limit that a batch of work is compared with. */
export interface Bound {
  readonly hard: number
  /** The error of work beyond the limit. */
  readonly exceeded: (used: number) => Error
}

const expirySeconds = 60
/** Work waits so often for what was reserved before it, with a longer pause each time: 5 seconds in all. */
const attemptsMax = 26
const pauseMsMax = 200

/**
 * Admits work up to a hard limit, exactly, in any number of processes. Work that waits at the same time shares a reservation. A reservation is inserted
 * before the committed work is counted and deleted after its own work has committed, so that work is never overlooked. Where it may be counted twice, it
 * is counted again.
 */
export function createReservations(deps: ReservationDeps) {
  const queues = new Map<string, Waiting[]>()

  async function drain(accountId: string, bound: Bound, queue: Waiting[]): Promise<void> {
    // What arrives in this turn of the event loop shares the reservation.
    await deps.pause(0)
    queues.delete(accountId)
    try {
      await admit(deps, accountId, bound, queue)
    } catch (error) {
      for (const { refuse } of queue) refuse(error)
    }
  }

  return {
    /** Does work that counts one on the meter of an account. Rejects with the error of the limit, or as the work does. */
    run<T>(accountId: string, bound: Bound, work: () => Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const waiting: Waiting = { start: () => work().then(resolve, reject), refuse: reject }
        const queue = queues.get(accountId)
        if (queue !== undefined) return void queue.push(waiting)
        const fresh = [waiting]
        queues.set(accountId, fresh)
        void drain(accountId, bound, fresh)
      })
    },
    sweep: () => sql`delete from usage_reservations where expires_at < now()`.execute(deps.db),
  }
}

async function admit({ db, used, pause }: ReservationDeps, accountId: string, { hard, exceeded }: Bound, queue: readonly Waiting[]) {
  const seq = await reserve(db, accountId, queue.length)
  let running: readonly Promise<void>[] = []
  try {
    for (let attempt = 1; ; attempt++) {
      // In this order: what is committed in between counts twice, not never.
      const ahead = await reservedAhead(db, accountId, seq)
      const committed = await used(accountId)
      const room = Math.max(0, hard - committed - ahead)
      if (room >= queue.length || ahead === 0 || attempt === attemptsMax) {
        running = queue.slice(0, room).map(({ start }) => start())
        for (const { refuse } of queue.slice(room)) refuse(exceeded(committed + ahead))
        return
      }
      await pause(Math.min(10 * attempt, pauseMsMax))
    }
  } finally {
    void Promise.all(running)
      .then(() => sql`delete from usage_reservations where seq = ${seq}`.execute(db))
      // The sweep deletes it.
      .catch(() => undefined)
  }
}

async function reserve(db: Executor, accountId: string, amount: number): Promise<string> {
  const { rows } = await sql<{ readonly seq: string }>`
    with locked as materialized (select pg_advisory_xact_lock(hashtextextended('usage/' || ${accountId}, 0)))
    insert into usage_reservations (account_id, amount, expires_at)
    select ${accountId}, ${amount}, now() + make_interval(secs => ${expirySeconds}) from locked returning seq::text as seq`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('an insert returned no row')
  return row.seq
}

async function reservedAhead(db: Executor, accountId: string, seq: string): Promise<number> {
  const { rows } = await sql<{ readonly amount: number }>`
    select coalesce(sum(amount), 0)::int4 as amount from usage_reservations
    where account_id = ${accountId} and seq < ${seq} and expires_at > now()`.execute(db)
  return rows[0]?.amount ?? 0
}
