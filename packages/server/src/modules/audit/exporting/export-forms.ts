import type { JsonValue } from '@millrace/contract'
import type { NamedEvents } from '#modules/audit/audit-service.ts'
import type { LoggedEvent } from '#modules/audit/query/query-store.ts'
import { eventView } from '#modules/audit/views.ts'
import { csvLines } from '#platform/csv-lines.ts'

/** How events are written into a file. */
interface ExportForm {
  readonly media: string
  readonly begin: string
  lines(page: NamedEvents): string
  /** The last line: without it the file is not complete. */
  end(events: number, at: Date): string
}

/** The columns of CSV by name; null is an empty cell. */
const columns: Readonly<Record<string, (event: ExportedEvent) => string | null>> = {
  time: ({ at }) => at,
  who: ({ named, actor }) => named.actor ?? actor,
  what: ({ event }) => event,
  target: ({ named, target }) => named.target ?? target,
  workflow: ({ named }) => named.workflow,
  details: ({ details }) => jsonOf(details),
  changes: ({ changes }) => jsonOf(changes),
  address: ({ ip }) => ip,
  'event id': ({ id }) => id,
  'log day': ({ log }) => log?.date ?? null,
  'log number': ({ log }) => log?.index.toString() ?? null,
  'log hash': ({ log }) => log?.hash ?? null,
  'actor id': ({ actor }) => actor,
  'target id': ({ target }) => target,
  'workflow id': ({ named }) => named.workflowId,
  'request id': ({ requestId }) => requestId,
  'renamed since': ({ renamed }) =>
    Object.entries(renamed)
      .map(([name, now]) => `${name}, now ${now}`)
      .join('; ') || null,
}
const names = Object.keys(columns)
const cellsOf = Object.values(columns)

const csv: ExportForm = {
  media: 'text/csv; charset=utf-8',
  // Spreadsheets look for the mark of UTF-8.
  begin: `\ufeff${csvLines([names])}`,
  lines: (page) => csvLines(eventsOf(page).map((event) => cellsOf.map((cellOf) => cellOf(event) ?? ''))),
  end: (events, at) => csvLines([names.map((_, index) => ['end of the export', at.toISOString(), `${events} events`][index] ?? '')]),
}

const jsonl: ExportForm = {
  media: 'application/x-ndjson; charset=utf-8',
  begin: '',
  lines: (page) =>
    eventsOf(page)
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
  end: (events, at) => `${JSON.stringify({ end: { events, at: at.toISOString() } })}\n`,
}

/** The files that an export can be. */
export const exportForms = { csv, jsonl } as const

type ExportedEvent = ReturnType<typeof exported>

function eventsOf({ events, ...known }: NamedEvents): readonly ExportedEvent[] {
  return events.map((row) => exported(row, known))
}

/** An event as the API shows it, with the hash of its leaf, and the names that what it names had then and has now. */
function exported(row: LoggedEvent, { names: today, earlier }: Pick<NamedEvents, 'names' | 'earlier'>) {
  const { log, ...event } = eventView(row)
  const then = earlier.get(row.id) ?? {}
  return {
    ...event,
    log: log === null ? null : { ...log, hash: row.hash?.toString('hex') ?? null },
    named: namesOf(event, { ...today, ...then }),
    renamed: Object.fromEntries(Object.entries(then).flatMap(([id, name]) => (today[id] === undefined ? [] : [[name, today[id]]]))),
  }
}

function namesOf(
  { actor, target, details }: Pick<ReturnType<typeof eventView>, 'actor' | 'target' | 'details'>,
  known: NamedEvents['names'],
) {
  const workflowId = [textIn(details, 'workflow'), textIn(details, 'workflowId'), target].find((id) => id?.startsWith('wf_') === true)
  const run = [target, textIn(details, 'executionId')].find((id) => id?.startsWith('exec_') === true)
  const nameOf = (id = '') => (Object.hasOwn(known, id) ? known[id] : undefined)
  return {
    actor: nameOf(actor.slice(actor.indexOf(':') + 1)) ?? null,
    target: nameOf(target ?? undefined) ?? textIn(details, 'name') ?? null,
    workflow: nameOf(workflowId ?? undefined) ?? nameOf(run ?? undefined) ?? null,
    workflowId: workflowId ?? null,
  }
}

function textIn(details: JsonValue, member: string): string | undefined {
  if (typeof details !== 'object' || details === null) return undefined
  const [, value] = Object.entries(details).find(([name]) => name === member) ?? []
  return typeof value === 'string' ? value : undefined
}

/** Nothing for what has no members. */
function jsonOf(value: JsonValue): string {
  return value === null || JSON.stringify(value) === '{}' ? '' : JSON.stringify(value)
}
