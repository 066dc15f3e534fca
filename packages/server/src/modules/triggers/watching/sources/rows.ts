import { itemsOf, type Json, type JsonObject, membersOf, standardError, textOf } from '@millrace/engine'
import { sqlServerOf } from '#modules/connections/index.ts'
import { type LookDeps, withConnection } from '#modules/triggers/watching/look.ts'
import { itemsMax, type Look, type Looked, type WatchOf } from '#modules/triggers/watching/model.ts'
import { queryMysql } from '#platform/sql/query-mysql.ts'
import { queryPostgres } from '#platform/sql/query-postgres.ts'
import type { SqlResult } from '#platform/sql/sql-query.ts'

/** Rows with the same value of the growing column that a position keeps apart. */
const equalMax = 1_000
const bytesMax = 8 * 1024 * 1024
const timeoutMs = 30_000
const marks = { position: 'millrace_position', key: 'millrace_key' } as const

type Run = (text: string, values: readonly string[], rowsMax: number) => Promise<SqlResult['rows']>

/** The greatest value that was seen, and the keys of the rows that have it; null of a table that was empty. */
interface Position {
  readonly value: string | null
  readonly keys: readonly string[]
}

/** New rows of a table, by a column that grows. Rows that share a value are distinguished by their key, so none is left out at the edge of a look. */
export function lookAtRows(deps: LookDeps, look: Look<WatchOf<'rows'>>): Promise<Looked> {
  const { settings, signal, position } = look
  return withConnection(deps, look, { name: settings.connection, kinds: ['database'] }, async ({ settings: database, secrets }) => {
    if (database.kind !== 'database') throw standardError('configuration', 'The connection is not for a database.')
    const server = await sqlServerOf(database, secrets, deps.address)
    const query = database.engine === 'postgresql' ? queryPostgres : queryMysql
    const run: Run = async (text, values, rowsMax) =>
      (await query(server, { text, values: [...values], rowsMax, bytesMax, timeoutMs }, signal)).rows
    const statements = statementsOf(settings, database.engine)
    if (position === undefined && settings.first === 'new') return begin(run, statements)
    return next(run, statements, positionOf(position), settings)
  })
}

async function begin(run: Run, { newest }: Statements): Promise<Looked> {
  const rows = await run(newest, [], equalMax)
  const keys = rows.map((row) => textIn(row, marks.key))
  const position = { value: rows[0] === undefined ? null : textIn(rows[0], marks.position), keys }
  return { items: [], position, more: false }
}

async function next(
  run: Run,
  statements: Statements,
  { value, keys }: Position,
  { column }: Pick<WatchOf<'rows'>, 'column'>,
): Promise<Looked> {
  const limit = itemsMax + keys.length
  const rows = await (value === null ? run(statements.all(limit), [], limit) : run(statements.from(value, limit), [value], limit))
  const known = new Set(keys)
  const fresh = rows.filter((row) => textIn(row, marks.position) !== value || !known.has(textIn(row, marks.key))).slice(0, itemsMax)
  const last = fresh.at(-1)
  if (last === undefined) return { items: [], position: { value, keys: [...keys] }, more: false }
  const reached = textIn(last, marks.position)
  const equal = fresh.filter((row) => textIn(row, marks.position) === reached).map((row) => textIn(row, marks.key))
  const all = reached === value ? [...keys, ...equal] : equal
  if (all.length > equalMax)
    throw standardError(
      'configuration',
      `More than ${equalMax} rows have the same value of "${column}". Watch a column that grows with every row.`,
    )
  return { items: fresh.map(itemOf), position: { value: reached, keys: all }, more: rows.length === limit }
}

interface Statements {
  readonly newest: string
  readonly all: (limit: number) => string
  readonly from: (value: string, limit: number) => string
}

/** The names fit a pattern without quotes, and are quoted. */
function statementsOf(
  { table, column, key = column }: Pick<WatchOf<'rows'>, 'table' | 'column' | 'key'>,
  engine: 'postgresql' | 'mysql',
): Statements {
  const quoted = (name: string) => (engine === 'postgresql' ? `"${name}"` : `\`${name}\``)
  const text = (name: string) => (engine === 'postgresql' ? `t.${name}::text` : `cast(t.${name} as char)`)
  const from = table.split('.').map(quoted).join('.')
  const [grows, identifies] = [quoted(column), quoted(key)]
  const selected = `${text(grows)} as ${marks.position}, ${text(identifies)} as ${marks.key}`
  const order = (limit: number) => `order by t.${grows}, t.${identifies} limit ${limit}`
  // MySQL would compare an integer with a text as floating-point numbers.
  const parameter = (value: string) => {
    if (engine === 'postgresql') return '$1'
    return /^-?\d+$/.test(value) ? 'cast(? as decimal(65, 0))' : '?'
  }
  return {
    newest: `select ${selected} from ${from} t where t.${grows} = (select max(${grows}) from ${from}) order by t.${identifies} limit ${equalMax}`,
    all: (limit) => `select t.*, ${selected} from ${from} t where t.${grows} is not null ${order(limit)}`,
    from: (value, limit) => `select t.*, ${selected} from ${from} t where t.${grows} >= ${parameter(value)} ${order(limit)}`,
  }
}

function itemOf(row: JsonObject) {
  const { [marks.position]: value, [marks.key]: key, ...data } = row
  return { id: JSON.stringify([value ?? null, key ?? null]), data }
}

function positionOf(position: Json | undefined): Position {
  const { value, keys } = membersOf(position ?? {})
  return { value: textOf(value) ?? null, keys: itemsOf(keys).map((key) => textOf(key) ?? '') }
}

function textIn(row: JsonObject, name: string): string {
  return textOf(row[name]) ?? ''
}
