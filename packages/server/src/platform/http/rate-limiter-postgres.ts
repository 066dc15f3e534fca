import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { RateLimiter, RateStanding } from './rate-limit.ts'

interface CounterRow {
  readonly policy: string
  readonly hits: number
  readonly reset_seconds: number
}

export interface PostgresRateLimiterDeps {
  readonly db: Kysely<Rows>
  /** Counts while the database does not answer. */
  readonly fallback: RateLimiter
  readonly onError: (error: unknown) => void
}

/**
 * Counts in PostgreSQL, for installations of several processes: one statement a request, on an unlogged table.
 *
 * A limiter must not take the server down with the database (health operations have to answer then), so it falls back to counting here.
 */
export function createPostgresRateLimiter({ db, fallback, onError }: PostgresRateLimiterDeps): RateLimiter {
  return {
    async consume(policies, subject) {
      try {
        const rows = await countHits(db, policies, subject)
        return policies.map((policy): RateStanding => {
          const row = rows.find((candidate) => candidate.policy === policy.name)
          return { policy, hits: row?.hits ?? 1, resetSeconds: Math.max(1, Math.ceil(row?.reset_seconds ?? policy.windowSeconds)) }
        })
      } catch (error) {
        onError(error)
        return fallback.consume(policies, subject)
      }
    },
  }
}

// Rows are touched in the order of the policies' names, the same in every request, so two requests of one address cannot deadlock.
async function countHits(
  db: Kysely<Rows>,
  policies: Parameters<RateLimiter['consume']>[0],
  subject: string,
): Promise<readonly CounterRow[]> {
  const names = policies.map((policy) => policy.name)
  const seconds = policies.map((policy) => policy.windowSeconds)
  const { rows } = await sql<CounterRow>`
    insert into rate_limit_counters as counter (policy, subject, hits, ends_at)
    select policy, ${subject}, 1, clock_timestamp() + make_interval(secs => seconds)
    from unnest(${names}::text[], ${seconds}::int[]) as given (policy, seconds)
    order by policy
    on conflict (policy, subject) do update set
      hits = case when counter.ends_at <= clock_timestamp() then 1 else counter.hits + 1 end,
      ends_at = case when counter.ends_at <= clock_timestamp() then excluded.ends_at else counter.ends_at end
    returning policy, hits, extract(epoch from ends_at - clock_timestamp())::float8 as reset_seconds`.execute(db)
  return rows
}

/** Deletes counters whose window is over; to be run now and then. */
export async function sweepRateLimitCounters(db: Kysely<Rows>): Promise<void> {
  await sql`delete from rate_limit_counters where ends_at < now()`.execute(db)
}
