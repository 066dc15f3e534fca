import { type Kysely, sql } from 'kysely'
import { createBatcher } from '#platform/batching/batcher.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { RateLimiter, RateStanding } from './rate-limit.ts'
import type { SharedCounter } from './rate-limiter-ahead.ts'

interface CounterRow {
  readonly policy: string
  readonly subject: string
  readonly hits: number
  readonly reset_seconds: number
}

/** Requests of one address that count. */
interface Hit {
  readonly policies: Parameters<RateLimiter['consume']>[0]
  readonly subject: string
  readonly times: number
}

export interface PostgresRateLimiterDeps {
  readonly db: Kysely<Rows>
  /** Counts while the database does not answer. */
  readonly fallback: RateLimiter
  readonly onError: (error: unknown) => void
}

/**
 * Counts in PostgreSQL, for installations of several processes, on an unlogged table. Requests of one turn of the event loop share a
 * statement: requests of one address would otherwise wait for one another's lock on its counter, and be limited by that alone.
 *
 * A limiter must not take the server down with the database (health operations have to answer then), so it falls back to counting here.
 */
export function createPostgresRateLimiter({ db, fallback, onError }: PostgresRateLimiterDeps): RateLimiter & SharedCounter {
  const count = createBatcher<Hit, readonly RateStanding[]>({ load: (hits) => countHits(db, hits), lanes: 1, keysMax: 500 })
  return {
    async consume(policies, subject, times: number = 1) {
      try {
        return await count({ policies, subject, times })
      } catch (error) {
        onError(error)
        return fallback.consume(policies, subject)
      }
    },
  }
}

interface Counter {
  readonly name: string
  readonly seconds: number
  readonly subject: string
  hits: number
}

async function countHits(db: Kysely<Rows>, hits: readonly Hit[]): Promise<readonly (readonly RateStanding[])[]> {
  const counters = new Map<string, Counter>()
  // The place of each request among those of the batch that count on the same counter.
  const places = hits.map(({ policies, subject, times }) =>
    policies.map(({ name, windowSeconds }) => {
      const counter = counters.get(`${name} ${subject}`) ?? { name, seconds: windowSeconds, subject, hits: 0 }
      counters.set(`${name} ${subject}`, counter)
      counter.hits += times
      return counter.hits
    }),
  )
  const rows = await upsert(db, [...counters.values()])
  const byCounter = new Map(rows.map((row) => [`${row.policy} ${row.subject}`, row]))
  return hits.map(({ policies, subject }, index) =>
    policies.map((policy, at): RateStanding => {
      const key = `${policy.name} ${subject}`
      const row = byCounter.get(key)
      const after = (row?.hits ?? 1) - (counters.get(key)?.hits ?? 1) + (places[index]?.[at] ?? 1)
      return { policy, hits: after, resetSeconds: Math.max(1, Math.ceil(row?.reset_seconds ?? policy.windowSeconds)) }
    }),
  )
}

// Rows are touched in the order of policy and subject, the same in every statement, so two of them cannot deadlock.
async function upsert(db: Kysely<Rows>, counters: readonly Counter[]): Promise<readonly CounterRow[]> {
  const { rows } = await sql<CounterRow>`
    insert into rate_limit_counters as counter (policy, subject, hits, ends_at)
    select policy, subject, hits, clock_timestamp() + make_interval(secs => seconds)
    from unnest(${counters.map(({ name }) => name)}::text[], ${counters.map(({ subject }) => subject)}::text[],
      ${counters.map(({ hits }) => hits)}::int[], ${counters.map(({ seconds }) => seconds)}::int[]) as given (policy, subject, hits, seconds)
    order by policy, subject
    on conflict (policy, subject) do update set
      hits = case when counter.ends_at <= clock_timestamp() then excluded.hits else counter.hits + excluded.hits end,
      ends_at = case when counter.ends_at <= clock_timestamp() then excluded.ends_at else counter.ends_at end
    returning policy, subject, hits, extract(epoch from ends_at - clock_timestamp())::float8 as reset_seconds`.execute(db)
  return rows
}

/** Deletes counters whose window is over; to be run now and then. */
export async function sweepRateLimitCounters(db: Kysely<Rows>): Promise<void> {
  await sql`delete from rate_limit_counters where ends_at < now()`.execute(db)
}
