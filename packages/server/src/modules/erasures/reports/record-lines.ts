import type { JsonValue } from '@millrace/contract'
import type { Kysely } from 'kysely'
import { asJson } from '#platform/as-json.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { DescribedTable } from '#modules/erasures/describe-tables.ts'
import { type Needle, patternsOf } from '#modules/erasures/needles.ts'
import { readMatches } from '#modules/erasures/record-store.ts'
import type { SearchedTable } from '#modules/erasures/searched-tables.ts'
import { eventsTable } from '#modules/erasures/table-rules.ts'
import { categoryOf } from '#modules/erasures/views.ts'
import { eventRecord, type PersonRecord, personRecord } from '#modules/erasures/persons/person-record.ts'
import type { PersonEvents } from '#modules/erasures/persons/find-person.ts'
import { excerptsOf } from './excerpts.ts'
import type { Background, WhyKept } from './background.ts'
import { withoutSecrets } from './without-secrets.ts'

/** A record as a report has it. */
export interface ReportedRecord extends PersonRecord {
  readonly category: string
  readonly workflow?: string
  /** The purposes of the policies that apply, or the reason of the product. */
  readonly why: readonly WhyKept[]
  readonly data: Readonly<Record<string, unknown>>
}

export interface LinesRequest {
  readonly db: Kysely<Rows>
  readonly accountId: string
  readonly needles: readonly Needle[]
  readonly background: Background
  readonly signal: AbortSignal
}

const recordsAtATime = 50
const bytesAtATime = 32 * 1024 ** 2

/** The records of a table that have the data of a person, as a JSON array with one record on each line. */
export function recordLines(request: LinesRequest, searched: SearchedTable): AsyncGenerator<Buffer> {
  return arrayOf(linesOf(request, searched))
}

/** The same for the audit log. */
export function eventLines(request: LinesRequest, events: PersonEvents): AsyncGenerator<Buffer> {
  return arrayOf(linesOfEvents(request, events))
}

async function* linesOf(request: LinesRequest, { table, rule, accountId }: SearchedTable): AsyncGenerator<string> {
  const { db, needles, background, signal } = request
  const isKept = rule.kind === 'keep'
  for (let after: readonly string[] | undefined; ; ) {
    signal.throwIfAborted()
    const bounds = { after, limit: recordsAtATime, bytesMax: bytesAtATime }
    const { records, next } = await readMatches(db, table, { accountId, needles }, bounds)
    for (const record of records) {
      const of = await background.of(table.name, record.owners.workflow_id ?? undefined)
      const why: readonly WhyKept[] = isKept ? [{ reason: rule.reason }] : of.why
      const dataOf = isKept ? excerptsIn(needles, of.mask) : wholeIn(of.mask)
      const data = table.texts.flatMap((column) => {
        const text = record.texts[column.name] ?? null
        return text === null ? [] : [`${JSON.stringify(column.name)}:${dataOf(column, text)}`]
      })
      const head = headOf(table, personRecord(table, record), { workflow: of.workflow, why, mask: of.mask })
      yield `${head.slice(0, -1)},"data":{${data.join(',')}}}`
    }
    if (next === undefined) return
    after = next
  }
}

async function* linesOfEvents({ db, accountId, needles, background, signal }: LinesRequest, events: PersonEvents): AsyncGenerator<string> {
  const patterns = patternsOf(needles)
  const { mask } = await background.of(eventsTable, undefined)
  const why = [{ reason: 'Proof of who did what in the account.' }]
  for (let before: string | undefined; ; ) {
    signal.throwIfAborted()
    const page = await events.list(db, accountId, patterns, { before, limit: recordsAtATime })
    for (const event of page) {
      const head = headOf({ name: eventsTable }, eventRecord(event), { workflow: undefined, why, mask })
      const data = JSON.stringify({ address: event.ip, details: withoutSecrets(asJson(event.details), mask) })
      yield `${head.slice(0, -1)},"data":${data}}`
    }
    before = page.at(-1)?.id
    if (page.length < recordsAtATime) return
  }
}

function headOf(
  { name }: Pick<DescribedTable, 'name'>,
  record: PersonRecord,
  { workflow, why, mask }: { readonly workflow: string | undefined; readonly why: readonly WhyKept[]; readonly mask: Mask },
): string {
  const present = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
  const named = asJson({ ...present, ...(workflow === undefined ? {} : { workflow }) })
  // A row is named by its key, and a workflow by a person.
  return JSON.stringify({ category: categoryOf(name), ...Object(withoutSecrets(named, mask)), why })
}

type Mask = ((text: string) => string) | undefined
type DataOf = (column: DescribedTable['texts'][number], text: string | readonly string[]) => string

/** The whole value. JSON stays as it was written, with its numbers, unless a secret is in it. */
const wholeIn =
  (mask: Mask): DataOf =>
  ({ type }, text) => {
    if (typeof text !== 'string') return JSON.stringify(withoutSecrets([...text], mask))
    if (!type.startsWith('json') || type.endsWith('[]')) return JSON.stringify(withoutSecrets(text, mask))
    const value: JsonValue = JSON.parse(text)
    const shown = withoutSecrets(value, mask)
    return shown === value ? text.replaceAll(/[\r\n]+/g, ' ') : JSON.stringify(shown)
  }

/** Of settings only where the person is named: the rest is not about the person. */
const excerptsIn =
  (needles: readonly Needle[], mask: Mask): DataOf =>
  ({ type }, text) => {
    const value: JsonValue =
      typeof text !== 'string' ? [...text] : type.startsWith('json') && !type.endsWith('[]') ? JSON.parse(text) : text
    return JSON.stringify(excerptsOf(withoutSecrets(value, mask), needles))
  }

async function* arrayOf(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let before = '[\n'
  for await (const line of lines) {
    yield Buffer.from(before + line)
    before = ',\n'
  }
  yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n')
}
