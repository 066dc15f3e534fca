import { boundNames, type ColumnRange, Fault, isOfOneKind, rowKeyProblem } from '@millrace/contract'
import { type EffectCall, type Json, type JsonObject, membersOf, standardError, textOf, WorkflowError } from '@millrace/engine'
import type { CodeConnector } from '#modules/connectors/code/code-connector.ts'
import { type Action, lifeIn, platformFunction } from '#modules/connectors/code/platform-function.ts'
import {
  type Columns,
  type DataRow,
  decodePosition,
  encodePosition,
  isSearchable,
  type RowChange,
  type RowPosition,
  type RowSort,
  sortIn,
  type Tables,
} from '#modules/tables/index.ts'
import { toTypeId } from '#platform/ids.ts'
import {
  addInput,
  addOutput,
  countInput,
  countOutput,
  deleteInput,
  deleteOutput,
  getInput,
  getOutput,
  incrementInput,
  incrementOutput,
  listInput,
  listOutput,
  putInput,
  putOutput,
  updateInput,
} from './tables-manifests.ts'

export interface TablesConnectorDeps {
  /** They are ready soon after the start of the process. */
  readonly tables: Promise<Tables>
}

type TablesAction = Action<Tables>

const pageDefault = 100

/**
 * `tables.get`, `tables.list`, `tables.count`, `tables.put`, `tables.add`, `tables.update`, `tables.increment` and `tables.delete`: rows that the platform keeps for the
 * account. A call that is repeated after a crash changes nothing again, and gives what it gave.
 */
export function createTablesConnector({ tables }: TablesConnectorDeps): CodeConnector {
  const performed = (action: TablesAction) =>
    platformFunction(tables, async (service, call, args) => {
      refuseSecrets(call)
      try {
        return await action(service, call, args)
      } catch (error) {
        throw error instanceof Fault && error.code === 'request_invalid' ? columnsError(error) : error
      }
    })

  const get: TablesAction = async (service, { accountId }, args) => {
    const row = await service.findFor(accountId, placeIn(args))
    return { found: row !== undefined, row: viewOf(row) }
  }

  const list: TablesAction = async (service, { accountId }, args) => {
    const size = typeof args['limit'] === 'number' ? args['limit'] : pageDefault
    const sort = args['sort'] === undefined ? undefined : sortOf(textOf(args['sort']) ?? '')
    const after = args['cursor'] === undefined ? undefined : positionIn(args['cursor'], sort)
    const filter = { ...wantedIn(args), sort, after, limit: size }
    const { rows, next } = await service.rowsOf(accountId, tableIn(args), filter)
    if (next === undefined) return { rows: rows.map(rowView), nextCursor: null }
    // The cursor of a list in the order of the keys has always been a key.
    return { rows: rows.map(rowView), nextCursor: sort === undefined ? next.key : encodePosition(sort, next) }
  }

  const count: TablesAction = async (service, { accountId }, args) => ({
    count: await service.countFor(accountId, tableIn(args), wantedIn(args)),
  })

  return {
    name: 'tables',
    title: 'Tables of the platform',
    version: '1.0.0',
    functions: [
      { name: 'get', summary: 'Reads a row.', input: getInput, output: getOutput, perform: performed(get) },
      { name: 'list', summary: 'Lists rows by their keys.', input: listInput, output: listOutput, perform: performed(list) },
      { name: 'count', summary: 'Counts rows.', input: countInput, output: countOutput, perform: performed(count) },
      { name: 'put', summary: 'Writes a row.', input: putInput, output: putOutput, perform: performed(put) },
      { name: 'add', summary: 'Writes a row unless one with its key exists.', input: addInput, output: addOutput, perform: performed(add) },
      { name: 'update', summary: 'Sets columns of a row.', input: updateInput, output: putOutput, perform: performed(update) },
      {
        name: 'increment',
        summary: 'Adds to a number in a row.',
        input: incrementInput,
        output: incrementOutput,
        perform: performed(increment),
      },
      { name: 'delete', summary: 'Deletes a row.', input: deleteInput, output: deleteOutput, perform: performed(remove) },
    ],
  }
}

/** People who may read tables may not read secrets. */
function refuseSecrets({ arguments: args, secrets }: EffectCall): void {
  const text = JSON.stringify(args)
  const found = Object.entries(secrets).find(
    ([, value]) => typeof value === 'string' && value !== '' && text.includes(JSON.stringify(value).slice(1, -1)),
  )
  if (found !== undefined)
    throw standardError(
      'validation',
      `The secret ${found[0]} must not be in a table, where people read it. Keep a reference to what it opens.`,
    )
}

const put: TablesAction = (service, call, args) => {
  const columns = columnsIn(args)
  const expiresInMs = lifeIn(args)
  const { ifRevision } = args
  const decide = (before: DataRow | undefined): RowChange => {
    if (ifRevision !== undefined && ifRevision !== (before?.revision ?? 0)) throw otherRevision(before)
    return { kind: 'write', columns, expiresInMs }
  }
  return changed(service, call, args, decide)
}

const add: TablesAction = (service, call, args) => {
  const columns = columnsIn(args)
  const expiresInMs = lifeIn(args)
  return changed(service, call, args, (before) => (before === undefined ? { kind: 'write', columns, expiresInMs } : { kind: 'keep' }))
}

const update: TablesAction = (service, call, args) => {
  const set = columnsIn(args)
  const decide = (before: DataRow | undefined): RowChange => {
    // Null removes a column that it is given for.
    const columns = Object.fromEntries(
      Object.entries({ ...before?.columns, ...set }).filter(([name, value]) => value !== null || !Object.hasOwn(set, name)),
    )
    return { kind: 'write', columns, expiresInMs: 'same' }
  }
  return changed(service, call, args, decide)
}

const increment: TablesAction = (service, call, args) => {
  const column = textOf(args['column']) ?? ''
  const by = typeof args['by'] === 'number' ? args['by'] : 1
  const expiresInMs = lifeIn(args)
  const decide = (before: DataRow | undefined): RowChange => {
    const now = before !== undefined && Object.hasOwn(before.columns, column) ? before.columns[column] : 0
    if (typeof now !== 'number')
      throw standardError('validation', `The column ${JSON.stringify(column)} is not a number that this can be added to.`)
    const next = now + by
    // Beyond that, adding one may give the same number again.
    if (Math.abs(next) > Number.MAX_SAFE_INTEGER)
      throw standardError('validation', `The number in the column ${JSON.stringify(column)} would be too large to be exact.`)
    return { kind: 'write', columns: { ...before?.columns, [column]: next }, expiresInMs: before === undefined ? expiresInMs : 'same' }
  }
  const give = ({ before, after }: Changed) => ({ value: after?.columns[column] ?? null, created: before === undefined })
  return service.once(call.accountId, placeIn(args), callOf(call), { decide, give })
}

const remove: TablesAction = (service, call, args) => {
  const give = ({ before }: Changed) => ({ deleted: before !== undefined, row: viewOf(before) })
  return service.once(call.accountId, placeIn(args), callOf(call), { decide: () => ({ kind: 'delete' }), give })
}

type Changed = Parameters<Parameters<Tables['once']>[3]['give']>[0]

function changed(service: Tables, call: EffectCall, args: JsonObject, decide: (before: DataRow | undefined) => RowChange): Promise<Json> {
  const give = ({ before, after }: Changed) => ({ created: before === undefined, row: viewOf(after) })
  return service.once(call.accountId, placeIn(args), callOf(call), { decide, give })
}

const callOf = ({ idempotencyKey, executionId, trigger }: EffectCall) => ({
  call: idempotencyKey,
  by: `execution:${toTypeId('exec', executionId)}`,
  isTest: trigger === 'test',
})

const placeIn = (args: JsonObject) => ({ table: tableIn(args), key: keyIn(args['key']) })

function wantedIn(args: JsonObject) {
  const prefix = (textOf(args['prefix']) ?? '').normalize('NFC')
  if (/\0|\p{Surrogate}/u.test(prefix))
    throw standardError('validation', 'No key has this prefix: it has the character NUL or a half of a character.')
  const [where, range] = [columnsOf(args, 'where'), columnsOf(args, 'range')]
  const times = { createdFrom: timeIn(args, 'createdFrom'), createdBefore: timeIn(args, 'createdBefore') }
  return { prefix, where, ranges: range && rangesIn(range), ...times }
}

/** What an argument says of columns by their names. */
function columnsOf(args: JsonObject, name: string): JsonObject | undefined {
  const columns = args[name] === undefined ? undefined : membersOf(args[name])
  if (columns === undefined || isSearchable(columns)) return columns
  throw standardError('validation', 'No row has these columns: they have the character NUL or a half of a character.')
}

/** The schema has the form of bounds. */
function rangesIn(given: JsonObject): readonly ColumnRange[] {
  return Object.entries(given).map(([column, bounds]) => {
    const of = membersOf(bounds)
    const range = { column, ...Object.fromEntries(boundNames.map((name) => [name, boundOf(of[name])])) }
    if (!isOfOneKind(range))
      throw standardError('validation', `The bounds of ${JSON.stringify(column)} must all be numbers, or all be texts.`)
    return range
  })
}

const boundOf = (value: Json | undefined) => (typeof value === 'number' || typeof value === 'string' ? value : undefined)

function timeIn(args: JsonObject, name: string): Date | undefined {
  const text = textOf(args[name])
  if (text === undefined) return undefined
  const time = new Date(text)
  // The schema has the form of times, in which a second may be a leap second.
  if (!Number.isNaN(time.getTime())) return time
  throw standardError('validation', `${name} must be a time with its zone, such as 2026-03-01T00:00:00Z.`)
}

/** The schema has the form of names. */
const tableIn = ({ table }: JsonObject) => textOf(table) ?? ''

function keyIn(value: Json | undefined): string {
  const key = (textOf(value) ?? '').normalize('NFC')
  const problem = rowKeyProblem(key)
  if (problem !== undefined) throw standardError('validation', `The key of the row is not valid. ${problem}`)
  return key
}

function sortOf(text: string): RowSort {
  const sort = sortIn(text)
  if (sort.column !== '' && isSearchable({ [sort.column]: null })) return sort
  throw standardError('validation', 'Rows are sorted by the name of a column, such as total, or with a direction, such as total:desc.')
}

function positionIn(cursor: Json, sort: RowSort | undefined): RowPosition {
  if (sort === undefined) return { key: keyIn(cursor) }
  try {
    return decodePosition(sort, textOf(cursor) ?? '')
  } catch (error) {
    if (error instanceof Fault) throw standardError('validation', 'The cursor is not the nextCursor of a list with this sort.')
    throw error
  }
}

function columnsIn(args: JsonObject): Columns {
  return membersOf(args['columns'] ?? {})
}

const viewOf = (row: DataRow | undefined) => (row === undefined ? null : rowView(row))

const rowView = ({ key, columns, revision, updatedAt, expiresAt }: DataRow) => ({
  key,
  columns,
  revision,
  updatedAt: updatedAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
})

function otherRevision(row: DataRow | undefined): WorkflowError {
  const detail = row === undefined ? 'There is no such row.' : `The row is at revision ${row.revision}.`
  return new WorkflowError({ ...standardError('communication', detail).data, status: 409, title: 'Conflict' })
}

/** Columns that a row cannot have. */
function columnsError(fault: Fault): WorkflowError {
  const detail = fault.details.errors?.map((error) => `The columns are not valid. ${error.detail}`).join(' ') ?? fault.message
  return new WorkflowError(standardError('validation', detail).data, { cause: fault })
}
