import { splitBraces } from '#src/import/braces.ts'
import type { Converter } from '#src/import/n8n/converted.ts'
import type { NodeFields } from '#src/import/n8n/fields.ts'
import { term } from '#src/import/n8n/jq-text.ts'
import { at, type Data, isRecord, listOf, own, textOf } from '#src/import/value.ts'

interface Dialect {
  readonly call: 'postgres.query' | 'mysql.query'
  /** Encloses the names of tables and columns. */
  readonly mark: '"' | '`'
  /** Whether `$1`, which both nodes of n8n have, is the first parameter. */
  readonly isNumbered: boolean
}

const dialects = {
  postgres: { call: 'postgres.query', mark: '"', isNumbered: true },
  mySql: { call: 'mysql.query', mark: '`', isNumbered: false },
} as const satisfies Readonly<Record<string, Dialect>>

/** A statement in which `$1` stands for the first of the parameters, which are jq. */
interface Statement {
  readonly text: string
  readonly parameters: readonly string[]
  /** jq of a list of parameters that come first; their number is that of the highest `$n` in the text of the node. */
  readonly first?: { readonly jq: string; readonly count: number }
}

/** The values of a statement, in the order of their places. */
class Places {
  readonly parameters: string[] = []
  private readonly before: number

  constructor(before = 0) {
    this.before = before
  }

  /** @param jq of the value. @returns what stands for it in the statement. */
  add(jq: string): string {
    this.parameters.push(jq)
    return `$${this.before + this.parameters.length}`
  }
}

function sqlNode(dialect: Dialect): Converter {
  return (fields) => {
    const operation = textOf(fields.node.parameters['operation']) || 'insert'
    const build = own(operations, operation)
    const made = build?.(fields, dialect)
    if (made === undefined) return undefined
    const connection = connectionName(fields, dialect)
    fields.report('adapted', `Create a connection of the kind database called "${connection}" with the login of the credential.`)
    const isWhole = operation === 'select' && fields.node.parameters['returnAll'] === true
    const returns = operation === 'executeQuery' || operation === 'select' || dialect.isNumbered
    return {
      as: 'each',
      task: { call: dialect.call, with: { connection, ...made, ...(isWhole ? { rowsMax: 10_000 } : {}) } },
      ...(returns ? { result: '.rows[]' } : { result: '{affectedRows: .rowCount}', gives: 'one' as const }),
    }
  }
}

/** @returns the arguments of the call. */
type Build = (fields: NodeFields, dialect: Dialect) => Data | undefined

const operations: Readonly<Record<string, Build>> = {
  executeQuery,
  select,
  insert,
  upsert: insert,
  update,
  deleteTable: remove,
  delete: remove,
}

/** A name that connections may have, of the credential. */
function connectionName({ node }: NodeFields, { call }: Dialect): string {
  const kind = call.slice(0, call.indexOf('.'))
  const name = (node.credentials[0]?.name ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 63)
  return name === '' ? kind : name
}

/** The arguments of a statement, with the placeholders of the database. */
function placed({ text, parameters, first }: Statement, { isNumbered }: Dialect): Data {
  const list =
    first === undefined
      ? `[${parameters.map(term).join(', ')}]`
      : `(${term(first.jq)}[:${first.count}] + [${parameters.map(term).join(', ')}])`
  if (isNumbered) return { statement: text, ...(first === undefined && parameters.length === 0 ? {} : { parameters: `\${ ${list} }` }) }
  const order: string[] = []
  const statement = text.replaceAll(/\$(\d{1,4})\b/g, (_, number: string) => {
    const index = Number(number) - 1
    order.push(first === undefined ? term(parameters[index] ?? 'null') : `$parameters[${index}]`)
    return '?'
  })
  if (order.length === 0) return { statement }
  return { statement, parameters: `\${ ${first === undefined ? '' : `${list} as $parameters | `}[${order.join(', ')}] }` }
}

/** The query of a person: its expressions become parameters, which cannot change what the statement means. */
function executeQuery(fields: NodeFields, dialect: Dialect): Data | undefined {
  const { parameters } = fields.node
  const query = textOf(parameters['query'])
  if (query.trim() === '') return undefined
  const source = query.startsWith('=') ? query.slice(1) : query
  const count = Math.max(0, ...[...source.matchAll(/\$(\d{1,4})\b/g)].map(([, number]) => Number(number)))
  const replacement = replacementOf(fields, count)
  const places = new Places(count)
  const text = query.startsWith('=') ? withPlaces(source, (expression) => places.add(fields.jq(expression))) : source
  if (text !== undefined) {
    if (places.parameters.length > 0)
      fields.report('adapted', 'Expressions in the statement are sent as parameters, so that their values cannot change the statement.')
    if (typeof replacement !== 'string') return placed({ text, parameters: [...replacement, ...places.parameters] }, dialect)
    return placed({ text, parameters: places.parameters, first: { jq: replacement, count } }, dialect)
  }
  fields.report(
    'adapted',
    'Expressions name tables or parts of the statement, so they are put into its text as in n8n. A value from outside can change what the statement does: check it before.',
  )
  const list = typeof replacement === 'string' ? replacement : `[${replacement.map(term).join(', ')}]`
  return { statement: `\${ ${fields.jq(query)} }`, ...(count === 0 ? {} : { parameters: `\${ ${list} }` }) }
}

/** The values of `$1` to the last place: jq of each, or jq of a list. */
function replacementOf(fields: NodeFields, count: number): readonly string[] | string {
  const { parameters } = fields.node
  const given = textOf(
    at(parameters, 'options', 'queryReplacement') ?? at(parameters, 'additionalFields', 'queryParams') ?? parameters['queryParams'],
  )
  if (count === 0 || given.trim() === '') return Array.from({ length: count }, () => 'null')
  // The first version of the node names members of the item.
  if (!given.startsWith('='))
    return sized(
      given.split(',').map((name) => `$item[${JSON.stringify(name.trim())}]`),
      count,
    )
  const pieces = splitBraces(given.slice(1), true)
  if (pieces.length === 3 && `${pieces[0]}${pieces[2]}`.trim() === '')
    return `(${fields.jq(given)} | if type == "array" then . else [.] end)`
  const parts: string[] = ['']
  for (const [index, piece] of pieces.entries()) {
    const [head = '', ...tail] = index % 2 === 0 ? piece.split(',') : [`{{${piece}}}`]
    parts[parts.length - 1] += head
    parts.push(...tail)
  }
  return sized(
    parts.map((part) => fields.jq(`=${part.trim()}`)),
    count,
  )
}

function sized(values: readonly string[], count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => values[index] ?? 'null')
}

const namesPart = /(?:\b(?:from|into|update|join|table|schema|by|asc|desc|where|and|or|select|set)|[."`])\s*$/i

const outsideOfLiteral = /''|'|--[^\n]*|[^'-]+|-/y
const insideOfLiteral = /''|'|[^']+/y

/**
 * A statement with places instead of its expressions; one within a literal takes the place of the whole literal. Undefined if an expression stands where a database
 * takes no value, such as the name of a table.
 */
function withPlaces(source: string, place: (expression: string) => string): string | undefined {
  let written = ''
  let literal: { text: string; count: number } | undefined
  for (const [index, piece] of splitBraces(source, true).entries()) {
    if (index % 2 === 1 && literal !== undefined) literal = { text: `${literal.text}{{${piece}}}`, count: literal.count + 1 }
    else if (index % 2 === 1 && namesPart.test(written)) return undefined
    else if (index % 2 === 1) written += place(`={{${piece}}}`)
    else
      for (let from = 0; from < piece.length; ) {
        const pattern: RegExp = literal === undefined ? outsideOfLiteral : insideOfLiteral
        pattern.lastIndex = from
        const [token = ''] = pattern.exec(piece) ?? []
        from += token.length
        if (literal !== undefined && token !== "'") literal.text += token === "''" ? "'" : token
        else if (token !== "'") written += token
        else if (literal === undefined) literal = { text: '', count: 0 }
        else {
          written += literal.count === 0 ? `'${literal.text.replaceAll("'", "''")}'` : place(`=${literal.text}`)
          literal = undefined
        }
      }
  }
  return literal === undefined ? written : undefined
}

/** A name of a table or column as an identifier; undefined for an expression. */
function identifier(value: unknown, { mark }: Dialect): string | undefined {
  const name = textOf(isRecord(value) ? value['value'] : value).trim()
  if (name === '' || name.startsWith('=')) return undefined
  return `${mark}${name.replaceAll(mark, `${mark}${mark}`)}${mark}`
}

function tableOf({ node: { parameters } }: NodeFields, dialect: Dialect): string | undefined {
  const table = identifier(parameters['table'], dialect)
  const schema = dialect.isNumbered ? identifier(parameters['schema'], dialect) : undefined
  return table === undefined ? undefined : schema === undefined || schema === '"public"' ? table : `${schema}.${table}`
}

const comparisons: Readonly<Record<string, string>> = {
  equal: '=',
  '=': '=',
  '!=': '<>',
  '<>': '<>',
  LIKE: 'like',
  '>': '>',
  '<': '<',
  '>=': '>=',
  '<=': '<=',
}

/** The conditions of a node with `where` before them; undefined if one cannot be converted. */
function conditionsOf(fields: NodeFields, dialect: Dialect, places: Places): string | undefined {
  const { parameters } = fields.node
  const clauses = listOf(at(parameters, 'where', 'values')).map((one) => {
    const column = identifier(at(one, 'column'), dialect)
    const condition = textOf(at(one, 'condition')) || textOf(at(one, 'operator')) || 'equal'
    if (column === undefined) return undefined
    if (/^IS (?:NOT )?NULL$/i.test(condition)) return `${column} ${condition.toLowerCase()}`
    const sign = own(comparisons, condition)
    return sign === undefined ? undefined : `${column} ${sign} ${places.add(fields.jq(at(one, 'value') ?? null))}`
  })
  if (clauses.includes(undefined)) return undefined
  return clauses.length === 0 ? '' : ` where ${clauses.join(textOf(parameters['combineConditions']) === 'OR' ? ' or ' : ' and ')}`
}

function select(fields: NodeFields, dialect: Dialect): Data | undefined {
  const { parameters } = fields.node
  const places = new Places()
  const table = tableOf(fields, dialect)
  const conditions = conditionsOf(fields, dialect, places)
  const columns = listOf(at(parameters, 'options', 'outputColumns'))
    .filter((name) => name !== '*')
    .map((name) => identifier(name, dialect))
  const order = listOf(at(parameters, 'sort', 'values')).map((one) => {
    const column = identifier(at(one, 'column'), dialect)
    return column === undefined ? undefined : `${column}${textOf(at(one, 'direction')).toUpperCase() === 'DESC' ? ' desc' : ''}`
  })
  if (table === undefined || conditions === undefined || columns.includes(undefined) || order.includes(undefined)) return undefined
  const limit = parameters['returnAll'] === true ? '' : ` limit ${places.add(fields.jq(parameters['limit'] ?? 50))}`
  const sorted = order.length === 0 ? '' : ` order by ${order.join(', ')}`
  return placed(
    { text: `select ${columns.join(', ') || '*'} from ${table}${conditions}${sorted}${limit}`, parameters: places.parameters },
    dialect,
  )
}

/** The values that a node writes, as jq by column; undefined if each item has its own. */
function writtenOf(fields: NodeFields): Readonly<Record<string, string>> | undefined {
  const { columns, valuesToSend } = fields.node.parameters
  if (typeof columns === 'string') {
    const names = columns.split(',').map((name) => name.trim())
    return Object.fromEntries(names.filter((name) => name !== '').map((name) => [name, `$item[${JSON.stringify(name)}]`]))
  }
  const listed = listOf(at(valuesToSend, 'values')).map((one) => [textOf(at(one, 'column')), fields.jq(at(one, 'value') ?? null)])
  if (listed.length > 0) return Object.fromEntries(listed)
  const value = at(columns, 'value')
  if (textOf(at(columns, 'mappingMode')) === 'autoMapInputData' || !isRecord(value)) return undefined
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fields.jq(one)]))
}

/** The columns by which a node finds the row that it changes. */
function matchedOf({ node: { parameters } }: NodeFields): readonly string[] {
  const listed = listOf(at(parameters, 'columns', 'matchingColumns')).map(textOf)
  if (listed.length > 0) return listed
  const named = textOf(parameters['columnToMatchOn']) || textOf(parameters['updateKey']) || 'id'
  return named.split(',').map((name) => name.trim())
}

function insert(fields: NodeFields, dialect: Dialect): Data | undefined {
  const table = tableOf(fields, dialect)
  if (table === undefined) return undefined
  const isUpsert = textOf(fields.node.parameters['operation']) === 'upsert'
  const written = writtenOf(fields)
  const returning = dialect.isNumbered ? ' returning *' : ''
  if (written === undefined) {
    if (isUpsert) return undefined
    // The columns are the members of the item, which only the run knows.
    const [names, values] = dialect.isNumbered
      ? [String.raw`"\"" + gsub("\""; "\"\"") + "\""`, String.raw`"$\(. + 1)"`]
      : [String.raw`"${'`'}" + gsub("${'`'}"; "${'`'}${'`'}") + "${'`'}"`, '"?"']
    const text = JSON.stringify(`insert into ${table} (`)
    return {
      statement: `\${ ${text} + ($item | keys_unsorted | map(${names}) | join(", ")) + ") values (" + ([range($item | length) | ${values}] | join(", ")) + ")${returning}" }`,
      parameters: '${ [$item[]] }',
    }
  }
  const columns = Object.keys(written).map((name) => identifier(name, dialect))
  if (columns.length === 0 || columns.includes(undefined)) return undefined
  const places = new Places()
  const values = Object.values(written).map((jq) => places.add(jq))
  const text = `insert into ${table} (${columns.join(', ')}) values (${values.join(', ')})`
  return placed(
    { text: `${text}${isUpsert ? onConflict(fields, dialect, Object.keys(written)) : ''}${returning}`, parameters: places.parameters },
    dialect,
  )
}

function onConflict(fields: NodeFields, dialect: Dialect, names: readonly string[]): string {
  const matched = matchedOf(fields)
  const column = (name: string) => identifier(name, dialect) ?? ''
  const changed = names.filter((name) => !matched.includes(name))
  if (!dialect.isNumbered)
    return ` on duplicate key update ${(changed.length === 0 ? names : changed).map((name) => `${column(name)} = values(${column(name)})`).join(', ')}`
  const action =
    changed.length === 0 ? 'do nothing' : `do update set ${changed.map((name) => `${column(name)} = excluded.${column(name)}`).join(', ')}`
  return ` on conflict (${matched.map(column).join(', ')}) ${action}`
}

function update(fields: NodeFields, dialect: Dialect): Data | undefined {
  const table = tableOf(fields, dialect)
  const written = writtenOf(fields)
  if (table === undefined || written === undefined) return undefined
  const matched = matchedOf(fields)
  const places = new Places()
  const assignment = (name: string, jq: string) => `${identifier(name, dialect) ?? ''} = ${places.add(jq)}`
  const changed = Object.entries(written).filter(([name]) => !matched.includes(name))
  if (changed.length === 0 || [...Object.keys(written), ...matched].some((name) => identifier(name, dialect) === undefined))
    return undefined
  const { valueToMatchOn } = fields.node.parameters
  const sets = changed.map(([name, jq]) => assignment(name, jq)).join(', ')
  const finds = matched.map((name) =>
    assignment(name, written[name] ?? (valueToMatchOn === undefined ? `$item[${JSON.stringify(name)}]` : fields.jq(valueToMatchOn))),
  )
  const text = `update ${table} set ${sets} where ${finds.join(' and ')}${dialect.isNumbered ? ' returning *' : ''}`
  return placed({ text, parameters: places.parameters }, dialect)
}

function remove(fields: NodeFields, dialect: Dialect): Data | undefined {
  const table = tableOf(fields, dialect)
  const command = textOf(fields.node.parameters['deleteCommand']) || 'truncate'
  if (table === undefined) return undefined
  if (command === 'truncate') return placed({ text: `truncate table ${table}`, parameters: [] }, dialect)
  if (command === 'drop') return placed({ text: `drop table ${table}`, parameters: [] }, dialect)
  const places = new Places()
  const conditions = conditionsOf(fields, dialect, places)
  return conditions === undefined
    ? undefined
    : placed({ text: `delete from ${table}${conditions}`, parameters: places.parameters }, dialect)
}

export const sqlNodes: Readonly<Record<string, Converter>> = { postgres: sqlNode(dialects.postgres), mySql: sqlNode(dialects.mySql) }
