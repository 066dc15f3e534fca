import type pg from 'pg'
import { formatBytes } from '#terminal/bytes.ts'
import { type Finding, ok, warn } from './check.ts'

const name = 'Storage'

interface Sizes {
  readonly bytes: number
  readonly largest: readonly string[]
}

/** Days as YYYY-MM-DD; null while no server has made a partition. */
interface Reach {
  readonly oldest: string | null
  readonly newest: string | null
  /** Whether there are executions outside of all partitions. */
  readonly hasUnpartitioned: boolean
}

/**
 * What takes the space, how far back the partitions of executions reach, and whether there are some for what comes.
 * @param nowMs milliseconds since the epoch, by the clock of the database.
 */
export async function checkStorage(client: pg.Client, nowMs: number): Promise<Finding> {
  const [sizes, partitions] = [await readSizes(client), await readPartitions(client)]
  const text = `${formatBytes(sizes.bytes)} in all: ${sizes.largest.join(', ')}; executions since ${partitions.oldest ?? 'today'}.`
  // After a restore, the first server makes the partitions and moves the executions into them.
  if (partitions.hasUnpartitioned && partitions.newest !== null)
    return warn(
      name,
      'executions came when no partition was ready for them.',
      'Maintenance moves them. Check that a process has the role scheduler, and search its log for "maintenance task failed".',
    )
  if (partitions.newest !== null && partitions.newest <= new Date(nowMs).toISOString().slice(0, 10))
    return warn(
      name,
      `the last partition of executions ends on ${partitions.newest}.`,
      'Start a process with the role scheduler: it makes new ones.',
    )
  return ok(name, text)
}

async function readSizes(client: pg.Client): Promise<Sizes> {
  // Partitions count as their table.
  const { rows } = await client.query<{ name: string; bytes: number }>(
    `select coalesce(p.relname, c.relname) as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
     where c.relkind = 'r' and c.relnamespace in (to_regnamespace('public'), to_regnamespace('pgboss'))
     group by 1 order by 2 desc`,
  )
  return {
    bytes: rows.reduce((sum, row) => sum + row.bytes, 0),
    largest: rows.slice(0, 3).map((row) => `${row.name} ${formatBytes(row.bytes)}`),
  }
}

async function readPartitions(client: pg.Client): Promise<Reach> {
  const { rows } = await client.query<Reach>(
    `with bound as (
       select regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''(.{13}).*TO \\(''(.{13})') as ends
       from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'executions'::regclass
     ), dated as (
       select to_timestamp(('x' || lpad(replace(ends[1], '-', ''), 16, '0'))::bit(64)::bigint / 1000) at time zone 'UTC' as begins,
         to_timestamp(('x' || lpad(replace(ends[2], '-', ''), 16, '0'))::bit(64)::bigint / 1000) at time zone 'UTC' as ends
       from bound where ends is not null
     )
     select to_char(min(begins), 'YYYY-MM-DD') as oldest, to_char(max(ends), 'YYYY-MM-DD') as newest,
       exists (select from executions_default) as "hasUnpartitioned" from dated`,
  )
  return rows[0] ?? { oldest: null, newest: null, hasUnpartitioned: false }
}
