import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startChild } from './child.ts'
import { listCases, type ListCase, type Places, queryOf } from './list-cases.ts'
import { connect, fillLists } from './list-data.ts'
import { startBenchServer } from './server.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'

/** `npm run bench:lists [executions]`: lists and a timeline over HTTP with a million executions; writes plans to docs/plans. */
const executions = Number(process.argv[2] ?? 1_000_000)
const repeats = 200
const barMs = 20

const head = (name: string) => `document: { dsl: '1.0.3', namespace: bench, name: ${name}, version: '1.0.0', title: 'Flow ${name}' }`
const plain = (name: string) => `${head(name)}\ndo:\n  - one: { set: { done: true } }\n`
const loops = (port: number) => `${head('flow-1')}
do:
  - lines:
      for: { each: line, in: '\${ [range(20)] }' }
      do:
        - ask: { call: http, with: { method: post, endpoint: { uri: 'http://127.0.0.1:${port}/' }, body: { line: '\${ $line }' } } }
        - keep: { set: { line: '\${ $line }' } }
        - mark: { set: { line: '\${ .line + 1 }' } }
`

await using running = new AsyncDisposableStack()
const database = await startThrowawayDatabase()
running.defer(() => database.stop())
const standIn = await startChild('stand-in.ts', [], {}, /port (\d+)/)
running.defer(() => standIn.stop())
const server = await startBenchServer(database.url, { MILLRACE_RETENTION: 'forever' })
running.defer(() => server.stop())
const pool = connect(database.url)
running.defer(() => pool.end())
const base = `http://127.0.0.1:${server.port}/api/v1`
const headers = { authorization: `Bearer ${server.token}` }

const flows: string[] = []
for (let index = 0; index < 20; index++) flows.push(await server.create(index === 1 ? loops(Number(standIn.line)) : plain(`flow-${index}`)))
for (const name of ['one', 'two', 'three']) await fillAccount(name)
await fetch(`${base}/execute/${flows[1]}/run`, { method: 'POST', headers })
const example = await scalar('select id from executions')
const filledAt = performance.now()
await fillLists(pool, example, { executions, journals: Math.min(5_000, executions / 200) })
const filledSeconds = (performance.now() - filledAt) / 1000
const sizes =
  await scalar(`select string_agg(format('%s %s + %s of indexes in %s partitions', parent, pg_size_pretty(tables), pg_size_pretty(indexes), partitions), ', ')
  from (
    select inhparent::regclass as parent, count(*) as partitions, sum(pg_table_size(inhrelid)) as tables, sum(pg_indexes_size(inhrelid)) as indexes
    from pg_inherits where inhparent in ('executions'::regclass, 'journal'::regclass) group by inhparent
  ) sizes`)

const places = await findPlaces()
process.stdout.write(
  `${cpus().length} cores, ${cpus()[0]?.model ?? ''} (load ${loadavg()[0]?.toFixed(1)}), Node ${process.version}; ${executions} executions in ${filledSeconds.toFixed(0)} s; ${sizes}\n\n`,
)
// The cost of a request that only checks its key; the remainder of each row below is the cost of the list.
report('bare: a workflow that is not there', await measure(`${base}/workflows/wf_01h455vb4pex5vsknk084sn02q`))
let missed = 0
for (const one of listCases) {
  const result = await measure(urlOf(one))
  if (result.medianMs > barMs) missed += 1
  report(`${one.page}: ${one.what}`, result)
}
await writePlans()
if (missed > 0) {
  process.stderr.write(`${missed} of ${listCases.length} took longer than ${barMs} ms in the median\n`)
  process.exitCode = 1
}

async function fillAccount(name: string): Promise<void> {
  const other = await server.register(`${name}@example.org`)
  for (let index = 0; index < 10; index++) await other.create(plain(`${name}-${index}`))
}

async function scalar(text: string, values: readonly unknown[] = []): Promise<string> {
  const { rows } = await pool.query<Record<string, unknown>>(text, [...values])
  const [value] = Object.values(rows[0] ?? {})
  if (typeof value !== 'string') throw new Error(`no text from ${text}`)
  return value
}

/** Cursors are taken from pages, because their format is opaque. */
async function findPlaces(): Promise<Places> {
  const day = 24 * 60 * 60 * 1000
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * day).toISOString()
  const times = { '@beforeAll': at(200), '@early': at(91), '@middle': at(45), '@middleNextDay': at(44), '@middleNextWeek': at(38) } as const
  const { nextCursor } = await page(`${base}/workflows/${flows[0]}/executions?${new URLSearchParams({ to: times['@middle'] }).toString()}`)
  return { ...times, '@deep': String(nextCursor) }
}

function urlOf(one: ListCase): string {
  const query = new URLSearchParams(queryOf(one, places)).toString()
  if (one.page === 'workflows') return `${base}/workflows?${query}`
  if (one.page === 'executions') return `${base}/workflows/${flows[one.workflow === 'quiet' ? 19 : 0]}/executions?${query}`
  return `${base}/workflows/${flows[1]}/executions?limit=1&state=completed`
}

interface Result {
  readonly medianMs: number
  readonly p99Ms: number
  readonly rows: number
}

function report(what: string, { medianMs, p99Ms, rows }: Result): void {
  const figures = `${medianMs.toFixed(1).padStart(6)} ms ${p99Ms.toFixed(1).padStart(7)} ms ${String(rows).padStart(5)} rows`
  process.stdout.write(`${what.padEnd(74)} ${figures}${p99Ms > barMs ? '  p99 over the bar' : ''}\n`)
}

async function measure(url: string): Promise<Result> {
  const first = await page(url)
  const target = url.endsWith('limit=1&state=completed') ? `${base}/workflows/executions/${first.data?.[0]?.id}` : url
  for (let count = 0; count < 20; count++) await page(target)
  const times: number[] = []
  for (let count = 0; count < repeats; count++) {
    const startedAt = performance.now()
    await page(target)
    times.push(performance.now() - startedAt)
  }
  times.sort((one, other) => one - other)
  const { data, timeline } = await page(target)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return { medianMs: at(0.5), p99Ms: at(0.99), rows: data?.length ?? timeline?.length ?? 0 }
}

interface Page {
  readonly data?: readonly { readonly id: string }[]
  readonly nextCursor: string | null
  readonly timeline?: readonly unknown[]
}

async function page(url: string): Promise<Page> {
  const answer = await fetch(url, { headers })
  const text = await answer.text()
  if (!answer.ok && answer.status !== 404) throw new Error(`${url} answered ${answer.status}: ${text}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- An answer of our own server.
  return JSON.parse(text) as Page
}

/** The exact statements of the modules, bound to the account as in a request, each under EXPLAIN. */
async function writePlans(): Promise<void> {
  const folder = fileURLToPath(new URL('../docs/plans/', import.meta.url))
  await mkdir(folder, { recursive: true })
  const ids = await pool.query<{ id: string; account_id: string; executions: string }>(
    `select w.id, w.account_id, (select id from executions e where e.workflow_id = w.id and state = 'completed' order by id desc limit 1) as executions
     from workflows w where document_name in ('flow-0', 'flow-1', 'flow-19') order by w.id`,
  )
  const [busiest, timed, quiet] = ids.rows
  const cases = listCases.map((one) => ({
    name: one.name,
    what: one.what,
    page: one.page,
    workflow: one.workflow,
    query: queryOf(one, places),
  }))
  const job = {
    url: database.url,
    folder,
    cases,
    accountId: busiest?.account_id,
    busiest: busiest?.id,
    quiet: quiet?.id,
    timeline: timed?.executions,
  }
  const script = fileURLToPath(new URL('../packages/server/bench/list-plans.ts', import.meta.url))
  await promisify(execFile)(process.execPath, [script, JSON.stringify(job)])
}
