import { cpus, loadavg } from 'node:os'
import { connect } from './list-data.ts'
import { startBenchServer } from './server.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'

/** `npm run bench:analytics [executions] [workflows]`: figures over HTTP about ten million executions that ended in the last year. */
const executions = Number(process.argv[2] ?? 10_000_000)
const workflows = Number(process.argv[3] ?? 50)
const repeats = 40
const barMs = 100
const dayMs = 24 * 60 * 60 * 1000

await using running = new AsyncDisposableStack()
const database = await startThrowawayDatabase()
running.defer(() => database.stop())
const server = await startBenchServer(database.url)
running.defer(() => server.stop())
const pool = connect(database.url)
running.defer(() => pool.end())

const flows: string[] = []
for (let index = 0; index < workflows; index++)
  flows.push(
    await server.create(
      `document: { dsl: '1.0.3', namespace: bench, name: flow-${index}, version: '1.0.0' }\ndo:\n  - one: { set: { done: true } }\n`,
    ),
  )
const filledAt = performance.now()
const behind = Math.floor(Date.now() / dayMs) * dayMs
await fill(new Date(behind - 365 * dayMs))
const filledSeconds = (performance.now() - filledAt) / 1000
const { rows: sizes } = await pool.query<{ size: string }>(
  `select string_agg(format('%s %s', t, pg_size_pretty(pg_total_relation_size(t::regclass))), ', ') as size
   from unnest(array['execution_counts', 'execution_times', 'execution_failures', 'execution_tasks']) t`,
)
process.stdout.write(
  `${cpus().length} cores (load ${loadavg()[0]?.toFixed(1)}), Node ${process.version}; ${executions} executions of ${workflows} workflows in ${filledSeconds.toFixed(0)} s; ${sizes[0]?.size}\n\n`,
)

const period = (days: number) => `from=${new Date(behind - days * dayMs).toISOString()}&to=${new Date(behind).toISOString()}`
const cases = [
  ['all workflows, a year of days', `workflows?${period(365)}&interval=day`],
  ['all workflows, a year of days in Berlin', `workflows?${period(365)}&interval=day&zone=Europe/Berlin`],
  ['all workflows, a year of months', `workflows?${period(365)}&interval=month`],
  ['all workflows, 30 days', `workflows?${period(30)}`],
  ['all workflows, 40 days of hours', `workflows?${period(40)}&interval=hour`],
  ['one workflow, a year of days', `workflows/${flows[0]}?${period(365)}&interval=day`],
  ['one workflow, 30 days in Kathmandu', `workflows/${flows[0]}?${period(30)}&zone=Asia/Kathmandu`],
] as const
let missed = 0
for (const [what, query] of cases) {
  const { medianMs, slowMs, counted } = await measure(`http://127.0.0.1:${server.port}/api/v1/analytics/${query}`)
  if (medianMs > barMs) missed += 1
  process.stdout.write(
    `${what.padEnd(42)} ${medianMs.toFixed(1).padStart(7)} ms median ${slowMs.toFixed(1).padStart(7)} ms p95 ${String(counted).padStart(9)} counted\n`,
  )
}
if (missed > 0) {
  process.stderr.write(`${missed} of ${cases.length} took longer than ${barMs} ms in the median\n`)
  process.exitCode = 1
}

/**
 * The figures that the evaluator makes of so many ends, added up in the same way. The executions themselves are gone, as after the default retention
 * most of them are. One in fifty faulted; the first workflow has more than the last.
 */
async function fill(from: Date): Promise<void> {
  const { rows } = await pool.query<{ id: string; account_id: string }>('select id, account_id from workflows order by id')
  await pool.query('set synchronous_commit = off')
  await pool.query('set work_mem = 256000')
  await pool.query(`create function pg_temp.share(n bigint, seed bigint) returns double precision language sql immutable
    as $$ select (hashint8extended(n, seed) & 1073741823) / 1073741824.0 $$`)
  await pool.query(
    `create temporary table ended as
     select ($2::uuid[])[1 + floor(power(pg_temp.share(n, 1), 1.5) * $3)::int] as workflow_id,
       date_bin(interval '15 minutes', $4::timestamptz + n * (interval '365 days' / $1::bigint), '1970-01-01Z') as at,
       case when pg_temp.share(n, 2) < 0.02 then 'faulted' when pg_temp.share(n, 2) < 0.03 then 'cancelled' else 'completed' end as state,
       (200 * power(50, pg_temp.share(n, 3)))::bigint as duration_ms, (3 * pg_temp.share(n, 4))::bigint as wait_ms, 1 + (n % 5)::int as task
     from generate_series(0, $1::bigint - 1) n`,
    [executions, rows.map(({ id }) => id), workflows, from],
  )
  const account = rows[0]?.account_id
  await pool.query(
    `insert into execution_counts (account_id, workflow_id, minutes, at, state, executions, retries, begun, duration_ms, wait_ms)
     select $1, workflow_id, 15, at, state, count(*), 0, count(*), sum(duration_ms), sum(wait_ms) from ended group by 2, 4, 5`,
    [account],
  )
  await pool.query(
    `insert into execution_times (account_id, workflow_id, minutes, at, measure, class, executions)
     select $1, workflow_id, 15, at, m.measure, millrace_time_class(m.ms), count(*)
     from ended cross join lateral (values ('duration', duration_ms), ('wait', wait_ms)) as m (measure, ms) group by 2, 4, 5, 6`,
    [account],
  )
  await pool.query(
    `insert into execution_failures (account_id, workflow_id, minutes, at, task, error_type, executions)
     select $1, workflow_id, 15, at, '/do/' || task, 'https://serverlessworkflow.io/spec/1.0.0/errors/communication', count(*)
     from ended where state = 'faulted' group by 2, 4, 5`,
    [account],
  )
  await pool.query(
    `insert into execution_tasks (account_id, workflow_id, minutes, at, task, attempts, failed, duration_ms, longest_ms)
     select $1, workflow_id, 15, at, '/do/' || n || '/call', count(*), count(*) filter (where state = 'faulted'), sum(duration_ms / n), max(duration_ms / n)
     from ended cross join generate_series(1, 5) n group by 2, 4, n`,
    [account],
  )
  // Each part of time from the next shorter one, and all workflows together from each of them.
  const longer = [15, 60, 1440, 5760, 23_040, 92_160]
  const sums = {
    counts: 'executions, retries, begun, duration_ms, wait_ms',
    times: 'executions',
    failures: 'executions',
    tasks: 'attempts, failed, duration_ms, longest_ms',
  }
  const keys = { counts: 'state', times: 'measure, class', failures: 'task, error_type', tasks: 'task' }
  for (const kind of ['counts', 'times', 'failures', 'tasks'] as const) {
    const values = sums[kind].replaceAll(/\w+/g, (column) => (column === 'longest_ms' ? `max(${column})` : `sum(${column})`))
    const columns = `account_id, workflow_id, minutes, at, ${keys[kind]}, ${sums[kind]}`
    for (const [index, minutes] of longer.entries()) {
      const shorter = longer[index - 1]
      if (shorter !== undefined)
        await pool.query(
          `insert into execution_${kind} (${columns})
           select account_id, workflow_id, ${minutes}, date_bin(interval '${minutes} minutes', at, '1970-01-01Z') as part, ${keys[kind]}, ${values}
           from execution_${kind} where minutes = ${shorter} group by account_id, workflow_id, part, ${keys[kind]}`,
        )
    }
    if (kind === 'counts' || kind === 'times')
      await pool.query(
        `insert into execution_${kind} (${columns})
         select account_id, '00000000-0000-0000-0000-000000000000', minutes, at, ${keys[kind]}, ${values}
         from execution_${kind} group by account_id, minutes, at, ${keys[kind]}`,
      )
  }
  await pool.query('drop table ended')
  for (const table of ['execution_counts', 'execution_times', 'execution_failures', 'execution_tasks'])
    await pool.query(`vacuum analyze ${table}`)
}

async function measure(url: string) {
  const times: number[] = []
  let counted = 0
  for (let index = 0; index < repeats; index++) {
    const begin = performance.now()
    const response = await fetch(url, { headers: { authorization: `Bearer ${server.token}` } })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- An answer of our own server.
    const { totals } = (await response.json()) as { totals?: { executions: number } }
    times.push(performance.now() - begin)
    if (response.status !== 200 || totals === undefined) throw new Error(`${url} answered ${response.status}`)
    counted = totals.executions
  }
  times.sort((a, b) => a - b)
  return { medianMs: times[Math.floor(repeats / 2)] ?? 0, slowMs: times[Math.floor(repeats * 0.95)] ?? 0, counted }
}
