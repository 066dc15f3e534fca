import { cpus, loadavg } from 'node:os'
import { connect } from './list-data.ts'
import { startBenchServer } from './server.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'

/** `npm run bench:marketplace [entries]`: searches of the marketplace over HTTP with 100,000 entries. */
const entries = Number(process.argv[2] ?? 100_000)
const repeats = 40
const barMs = 50

await using running = new AsyncDisposableStack()
const database = await startThrowawayDatabase()
running.defer(() => database.stop())
const server = await startBenchServer(database.url, { MILLRACE_RATE_LIMIT_GLOBAL: '1000000/60' })
running.defer(() => server.stop())
const pool = connect(database.url)
running.defer(() => pool.end())

const vocabulary =
  'invoice order customer approval report sync database alert backup mail slack sheet webhook payment shipping stock lead contract ticket incident onboarding calendar survey review export import archive translate classify summary forecast budget expense travel vendor audit policy access password license renewal campaign newsletter feedback support refund warehouse delivery tracking'.split(
    ' ',
  )
// Texts as people write them: some words are in many entries, every entry has some words of its own, and READMEs of 300 words.
await pool.query(
  `with readmes as materialized (
     select k, setweight(to_tsvector('simple', (select string_agg(substr(md5((k * 300 + j * j)::text), 1, 2 + j % 8), ' ') from generate_series(1, 300) j)), 'D') as words
     from generate_series(0, 999) k
   ), texts as (
     select n, (
       select string_agg(($2::text[])[1 + (power((hashint8extended(n * 7 + k, 3) & 1073741823) / 1073741824.0, 2) * 49)::int % 50], ' ') from generate_series(1, 4) k
     ) || ' ' || substr(md5((n % 50000)::text), 1, 8) as title,
     (select string_agg(($2::text[])[1 + ((hashint8extended(n * 11 + k, 4) & 1073741823) % 50)::int], ' ') from generate_series(1, 20) k) as summary
     from generate_series(1, $1::int) n
   )
   insert into marketplace_entries (id, account_id, workflow_id, title, summary, author, category, tags, licence, version, state, rating_sum,
     rating_count, import_count, words, created_at, created_by, updated_at)
   select gen_random_uuid(), (select id from accounts limit 1), gen_random_uuid(), initcap(title), summary, 'Author ' || n % 900,
     (array['finance', 'ai', 'approvals', 'communication', 'data', 'integration'])[1 + n % 6], array[split_part(title, ' ', 1), split_part(title, ' ', 2)],
     (array['MIT', 'ISC', 'Apache-2.0'])[1 + n % 3], 1, 'listed', n % 40, n % 10, n % 300,
     setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('simple', summary), 'C') || readmes.words, now(), 'bench', now()
   from texts join readmes on k = n % 1000`,
  [entries, vocabulary],
)
await pool.query('vacuum analyze marketplace_entries')
await pool.query('vacuum analyze marketplace_words')

const searches = [
  ['one common word', 'q=invoice'],
  ['two common words', 'q=invoice+approval'],
  ['four words', 'q=order+customer+report+slack'],
  ['a beginning', 'q=inv'],
  ['one letter', 'q=a'],
  ['a rare word', 'q=cfcd2084'],
  ['a typing error', 'q=invoce'],
  ['two typing errors', 'q=costumer+aproval'],
  ['a typing error with a filter', 'q=shiping&category=finance'],
  ['a common word with filters', 'q=order&category=ai&licence=ISC'],
  ['a common word with a tag', 'q=order&tag=slack'],
  ['a typing error in a beginning', 'q=invoic+aprov'],
  ['a word of a README', 'q=c4ca4238'],
  ['nothing alike', 'q=zzzzzzzzzz'],
  ['without words', ''],
] as const

process.stdout.write(`${cpus().length} cores (load ${loadavg()[0]?.toFixed(1)}), Node ${process.version}; ${entries} entries\n\n`)
let missed = 0
for (const [what, query] of searches) {
  const { medianMs, slowMs, found } = await measure(`http://127.0.0.1:${server.port}/api/v1/marketplace/search?limit=20&${query}`)
  if (medianMs > barMs) missed += 1
  process.stdout.write(
    `${what.padEnd(32)} ${medianMs.toFixed(1).padStart(7)} ms median ${slowMs.toFixed(1).padStart(7)} ms p95 ${String(found).padStart(4)} found\n`,
  )
}
if (missed > 0) {
  process.stderr.write(`${missed} of ${searches.length} took longer than ${barMs} ms in the median\n`)
  process.exitCode = 1
}

async function measure(url: string) {
  const times: number[] = []
  let found = 0
  for (let index = 0; index < repeats; index++) {
    const begin = performance.now()
    const response = await fetch(url)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- An answer of our own server.
    const { data } = (await response.json()) as { data?: unknown[] }
    times.push(performance.now() - begin)
    if (response.status !== 200 || data === undefined) throw new Error(`${url} answered ${response.status}`)
    found = data.length
  }
  times.sort((a, b) => a - b)
  return { medianMs: times[Math.floor(repeats / 2)] ?? 0, slowMs: times[Math.floor(repeats * 0.95)] ?? 0, found }
}
