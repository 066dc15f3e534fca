import type { Pool } from 'pg'
import type { Recovery } from './observations.ts'

/**
 * Installs triggers that record all claims of executions and the ids of all processes. The engine keeps neither. Only the database of the run has
 * these triggers.
 */
export async function keepHistory(pool: Pool): Promise<void> {
  await pool.query(`
    create table crash_processes (id uuid primary key, pid integer not null, at timestamptz not null default clock_timestamp());
    create function crash_process() returns trigger language plpgsql as $$
      begin insert into crash_processes (id, pid) values (new.id, new.pid); return null; end $$;
    create trigger crash_process after insert on processes for each row execute function crash_process();

    create table crash_claims (
      id bigint generated always as identity primary key, execution_id uuid not null, claimed_by uuid, state text not null,
      recovered boolean not null, at timestamptz not null default clock_timestamp()
    );
    create function crash_claim() returns trigger language plpgsql as $$
      begin
        insert into crash_claims (execution_id, claimed_by, state, recovered)
        values (new.id, new.claimed_by, new.state, tg_op = 'UPDATE' and old.claimed_by is not null and new.claimed_by is null
          and (old.crash_count <> new.crash_count or old.recovered_seq <> new.recovered_seq));
        return null;
      end $$;
    create trigger crash_claim_new after insert on executions for each row when (new.claimed_by is not null) execute function crash_claim();
    create trigger crash_claim after update on executions for each row
      when (old.claimed_by is distinct from new.claimed_by or old.state <> new.state) execute function crash_claim();
  `)
}

/** A process that was killed. */
export interface Kill {
  readonly pid: number
  readonly spawnedAtMs: number
  readonly atMs: number
  /** The boundary where it killed itself, or `anywhere`. */
  readonly place: string
}

interface ClaimRow {
  readonly execution_id: string
  readonly claimed_by: string | null
  readonly state: string
  readonly recovered: boolean
  readonly at: number
}

/** Reads the recovery of every execution of a killed process. */
export async function readRecoveries(pool: Pool, kills: readonly Kill[]): Promise<readonly Recovery[]> {
  const { rows: processes } = await pool.query<{ id: string; pid: number; at: number }>(
    `select id, pid, extract(epoch from at)::float8 * 1000 as at from crash_processes`,
  )
  const killOf = new Map<string, Kill>()
  for (const { id, pid, at } of processes) {
    const kill = kills.find((one) => one.pid === pid && one.spawnedAtMs <= at && at <= one.atMs)
    if (kill !== undefined) killOf.set(id, kill)
  }
  const { rows } = await pool.query<ClaimRow>(
    `select execution_id, claimed_by, state, recovered, extract(epoch from at)::float8 * 1000 as at from crash_claims order by execution_id, id`,
  )
  const found: Recovery[] = []
  const losses: Recovery[] = []
  for (const [executionId, claims] of Map.groupBy(rows, (row) => row.execution_id)) {
    found.push(...recoveriesOf(executionId, claims, killOf))
    losses.push(...lossesOf(executionId, claims))
  }
  return [...(await withEntries(pool, found)), ...losses]
}

/** The engine's owner id for an execution that its process released after a write with an unknown result. */
const NO_PROCESS = '00000000-0000-0000-0000-000000000000'

/** Times in which no process owned an execution because its process had released it or lost its lease, without being killed. */
export function lossesOf(executionId: string, claims: readonly ClaimRow[]): readonly Recovery[] {
  return claims.flatMap(({ claimed_by: by, recovered, at }, index): readonly Recovery[] => {
    if (by !== NO_PROCESS && !recovered) return []
    const next = claims
      .slice(index + 1)
      .find((row) => (row.claimed_by !== null && row.claimed_by !== NO_PROCESS) || row.state === 'faulted')
    return [{ executionId, pid: undefined, killedAtMs: at, takenUpAtMs: next?.at, progressAtMs: next?.at }]
  })
}

/** @param claims of one execution, in order. */
export function recoveriesOf(executionId: string, claims: readonly ClaimRow[], killOf: ReadonlyMap<string, Kill>): readonly Recovery[] {
  return claims.flatMap(({ claimed_by: owner }, index): readonly Recovery[] => {
    const kill = owner === null ? undefined : killOf.get(owner)
    if (kill === undefined) return []
    const after = claims.slice(index + 1)
    // Released or parked before the process died.
    if (after[0] !== undefined && after[0].at <= kill.atMs) return []
    const takenUp = after.find(({ claimed_by: by }) => by !== null && by !== owner)
    // A write that the dead process had sent may still commit; that is progress as well.
    const progress = after.find(({ claimed_by: by, recovered, state }) => by === null && !recovered && state !== 'pending')
    const deadLettered = after.find(({ recovered, state }) => recovered && state === 'faulted')
    return [
      {
        executionId,
        pid: kill.pid,
        killedAtMs: kill.atMs,
        takenUpAtMs: takenUp?.at,
        progressAtMs: progress?.at ?? deadLettered?.at,
      },
    ]
  })
}

/** A journal entry after the death is progress as well. */
async function withEntries(pool: Pool, recoveries: readonly Recovery[]): Promise<readonly Recovery[]> {
  const result: Recovery[] = []
  for (let from = 0; from < recoveries.length; from += 1_000) {
    const some = recoveries.slice(from, from + 1_000)
    const { rows } = await pool.query<{ index: number; at: number | null }>(
      `select r.index::int, (select extract(epoch from min(j.ended_at))::float8 * 1000 from journal j
          where j.execution_id = r.execution_id and j.ended_at > to_timestamp(r.killed_at / 1000.0)) as at
       from unnest($1::uuid[], $2::float8[]) with ordinality as r(execution_id, killed_at, index)`,
      [some.map(({ executionId }) => executionId), some.map(({ killedAtMs }) => killedAtMs)],
    )
    for (const { index, at } of rows) {
      const recovery = some[index - 1]
      if (recovery === undefined) continue
      const times = [recovery.progressAtMs, at ?? undefined].filter((ms) => ms !== undefined)
      result.push({ ...recovery, progressAtMs: times.length === 0 ? undefined : Math.min(...times) })
    }
  }
  return result
}
