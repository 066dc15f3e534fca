import { type Kysely, sql } from 'kysely'
import { createBatcher } from '#platform/batching/batcher.ts'
import type { Rows } from '#platform/db/rows.ts'
import { counterKey, type RateCount, type RateLimiter, type RatePolicy } from './rate-limit.ts'

interface CounterRow {
  readonly policy: string
  readonly subject: string
  readonly hits: number
  readonly reset_seconds: number
}

/** One request to be counted. */
interface Hit {
  readonly policies: Parameters<RateLimiter['consume']>[0]
  readonly subject: string
}

/**
 * Counts in PostgreSQL, in an unlogged table, for installations of several processes. The requests of one turn of the event loop share a
 * statement; otherwise requests of one address would wait for each other's lock on the row of its counter. Rejects when the database does not answer.
 */
export function createPostgresRateLimiter(db: Kysely<Rows>): RateLimiter {
  const count = createBatcher<Hit, readonly RateCount[]>({ load: (hits) => countHits(db, hits), lanes: 1, keysMax: 500 })
  return { consume: (policies, subject) => count({ policies, subject }) }
}

interface Counter {
  readonly name: string
  readonly seconds: number
  readonly subject: string
  hits: number
}

async function countHits(db: Kysely<Rows>, hits: readonly Hit[]): Promise<readonly (readonly RateCount[])[]> {
  const counters = new Map<string, Counter>()
  // The ordinal of each request among the requests of the batch with the same counter.
  const ordinals = hits.map(({ policies, subject }) =>
    policies.map((policy) => {
      const name = storedName(policy)
      const key = counterKey(name, subject)
      const counter = counters.get(key) ?? { name, seconds: policy.windowSeconds, subject, hits: 0 }
      counters.set(key, counter)
      counter.hits += 1
      return counter.hits
    }),
  )
  const rows = await upsert(db, [...counters.values()])
  const byCounter = new Map(rows.map((row) => [counterKey(row.policy, row.subject), row]))
  return hits.map(({ policies, subject }, index) =>
    policies.map((policy, at): RateCount => {
      const key = counterKey(storedName(policy), subject)
      const row = byCounter.get(key)
      const after = (row?.hits ?? 1) - (counters.get(key)?.hits ?? 1) + (ordinals[index]?.[at] ?? 1)
      return { policy, hits: after, resetSeconds: Math.max(1, Math.ceil(row?.reset_seconds ?? policy.windowSeconds)) }
    }),
  )
}

/** Processes with windows of different lengths count apart: while one setting replaces another, neither cuts a window of the other short. */
function storedName({ name, windowSeconds }: RatePolicy): string {
  return `${name} ${windowSeconds}`
}

// Every statement locks its rows in the order of policy and subject, so two of them cannot deadlock.
async function upsert(db: Kysely<Rows>, counters: readonly Counter[]): Promise<readonly CounterRow[]> {
  const { rows } = await sql<CounterRow>`
    insert into rate_limit_counters as counter (policy, subject, hits, ends_at)
    select policy, subject, hits, clock_timestamp() + make_interval(secs => seconds)
    from unnest(${counters.map(({ name }) => name)}::text[], ${counters.map(({ subject }) => subject)}::text[],
      ${counters.map(({ hits }) => hits)}::int[], ${counters.map(({ seconds }) => seconds)}::int[]) as requested (policy, subject, hits, seconds)
    order by policy, subject
    on conflict (policy, subject) do update set
      hits = case when counter.ends_at <= clock_timestamp() then excluded.hits else counter.hits + excluded.hits end,
      ends_at = case when counter.ends_at <= clock_timestamp() then excluded.ends_at else counter.ends_at end
    returning policy, subject, hits, extract(epoch from ends_at - clock_timestamp())::float8 as reset_seconds`.execute(db)
  return rows
}

/** Deletes counters whose window has ended; to be run periodically. */
export async function sweepRateLimitCounters(db: Kysely<Rows>): Promise<void> {
  await sql`delete from rate_limit_counters where ends_at < now()`.execute(db)
}
