import type { Catalogue, Column } from './catalogue.ts'

const header = `// Generated from the migrated database by "npm run generate". Do not edit.
import type { JsonValue } from '@millrace/contract'
import type { ColumnType } from 'kysely'

/** Parsed when read; written as JSON text, because pg would write an array as an array of PostgreSQL. */
export type Jsonb = ColumnType<JsonValue, string, string>

/** A Date when read. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>

/** The database fills it in when it is not given. (In brackets, so that a union of literals stays one.) */
export type Defaulted<T> = [T] extends [ColumnType<infer S, infer I, infer U>] ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>

/** \`null\` when absent; optional in an insert. */
export type Nullable<T> = [T] extends [ColumnType<infer S, infer I, infer U>]
  ? ColumnType<S | null, I | null | undefined, U | null>
  : ColumnType<T | null, T | null | undefined, T | null>

/** The database alone fills it in. */
export type Computed<T> = [T] extends [ColumnType<infer S, infer _I, infer _U>] ? ColumnType<S, never, never> : ColumnType<T, never, never>
`

/** How pg hands each type of PostgreSQL to us; see \`parsers.ts\`. A type that is missing here is an error, not a guess. */
const types: Readonly<Record<string, string>> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  tsvector: 'string',
  'character varying': 'string',
  date: 'string',
  'double precision': 'number',
  inet: 'string',
  int8range: 'string',
  integer: 'number',
  interval: 'string',
  json: 'string',
  jsonb: 'Jsonb',
  numeric: 'string',
  real: 'number',
  smallint: 'number',
  text: 'string',
  'timestamp with time zone': 'Timestamp',
  uuid: 'string',
  xid8: 'string',
}

/** TypeScript types of every table, for Kysely. */
export function printRows(catalogue: Catalogue): string {
  const names = catalogue.tables.map(({ name }) => name)
  const interfaces = names.map((name) => {
    const columns = catalogue.columns.filter(({ table }) => table === name)
    const members = columns.map((column) => `${docOf(column)}  readonly ${column.name}: ${typeOf(column, catalogue)}\n`)
    return `export interface ${typeName(name)} {\n${members.join('')}}\n`
  })
  const rows = `/** Every table by its name. */\nexport interface Rows {\n${names.map((name) => `  readonly ${name}: ${typeName(name)}\n`).join('')}}\n`
  return [header, rows, ...interfaces].join('\n')
}

/** `audit_events` → `AuditEventsTable`. */
function typeName(table: string): string {
  return `${table.replaceAll(/(?:^|_)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())}Table`
}

function docOf(column: Column): string {
  return column.comment === null ? '' : `  /** ${column.comment.replaceAll('*/', '* /')} */\n`
}

function typeOf(column: Column, catalogue: Catalogue): string {
  const type = literalsOf(column, catalogue) ?? scalarOf(column)
  if (column.generated || column.identity === 'a') return `Computed<${type}>`
  if (column.nullable) return `Nullable<${type}>`
  return column.defaultExpression !== null || column.identity === 'd' ? `Defaulted<${type}>` : type
}

function scalarOf(column: Column): string {
  const element = column.type.replace(/\[\]$/, '')
  const type = types[element]
  if (type === undefined) {
    throw new Error(
      `Column ${column.table}.${column.name} has type ${column.type}, for which packages/server/src/testing/schema/print-rows.ts has no TypeScript type`,
    )
  }
  return element === column.type ? type : `${type}[]`
}

/** A check `column in ('a', 'b')` is a union of literals. */
function literalsOf(column: Column, catalogue: Catalogue): string | undefined {
  if (column.type !== 'text') return undefined
  const literal = `'(?:[^']|'')*'::text`
  const pattern = new RegExp(`^CHECK \\(\\(${column.name} = ANY \\(ARRAY\\[(${literal}(?:, ${literal})*)\\]\\)\\)\\)$`)
  for (const { table, definition } of catalogue.constraints) {
    const list = table === column.table ? pattern.exec(definition)?.[1] : undefined
    if (list === undefined) continue
    const values = [...list.matchAll(/'((?:[^']|'')*)'::text/g)].map((match) => (match[1] ?? '').replaceAll("''", "'"))
    return values.map((value) => `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'`).join(' | ')
  }
  return undefined
}
