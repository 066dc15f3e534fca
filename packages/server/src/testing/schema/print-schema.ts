import type { Catalogue, Column, Definition, Table } from './catalogue.ts'

const header = `-- Generated from the migrated database by "npm run generate". Do not edit: this file is for reading and for reviewing what a
-- migration changes. Databases are made by the migrations.
`

/** The whole schema as statements, one paragraph a table, for people to read. */
export function printSchema(catalogue: Catalogue): string {
  const functions = catalogue.functions.map(({ definition }) => `${definition.trimEnd()};\n`)
  const tables = catalogue.tables.map((table) => printTable(table, catalogue))
  return [header, ...functions, ...tables].join('\n')
}

function printTable(table: Table, catalogue: Catalogue): string {
  const own = (definitions: readonly Definition[]) => definitions.filter((definition) => definition.table === table.name)
  const columns = catalogue.columns.filter((column) => column.table === table.name)
  const lines = [
    table.kind === 'view'
      ? `create view ${table.name} as\n${table.definition ?? ''}`
      : createTable(table, columns, own(catalogue.constraints)),
    ...own(catalogue.indexes).map(({ definition }) => `${definition.replaceAll('public.', '')};`),
    ...(table.rowSecurity ? [`alter table ${table.name} enable row level security;`] : []),
    ...own(catalogue.policies).map(({ name, definition }) => `create policy ${name} on ${table.name} ${definition};`),
    ...own(catalogue.grants).map(({ name, definition }) => `grant ${definition} on ${table.name} to ${name};`),
    ...own(catalogue.triggers).map(({ definition }) => `${definition.replaceAll('public.', '')};`),
    ...(table.comment === null ? [] : [`comment on ${table.kind} ${table.name} is ${quote(table.comment)};`]),
    ...columns.flatMap(({ name, comment }) => (comment === null ? [] : [`comment on column ${table.name}.${name} is ${quote(comment)};`])),
  ]
  return `${lines.join('\n')}\n`
}

function createTable(table: Table, columns: readonly Column[], constraints: readonly Definition[]): string {
  const lines = [
    ...columns.map(printColumn),
    ...constraints.map(({ name, definition }) => `constraint ${name} ${definition.replaceAll('public.', '')}`),
  ]
  const options = table.options === null ? '' : ` with (${table.options})`
  const partitions = table.partitionedBy === null ? '' : ` partition by ${table.partitionedBy.toLowerCase()}`
  return `create ${table.unlogged ? 'unlogged ' : ''}table ${table.name} (\n  ${lines.join(',\n  ')}\n)${partitions}${options};`
}

function printColumn(column: Column): string {
  const parts = [column.name, column.declaredType]
  if (column.identity !== '') parts.push(`generated ${column.identity === 'a' ? 'always' : 'by default'} as identity`)
  if (column.generated) parts.push(`generated always as (${column.defaultExpression ?? ''}) stored`)
  else if (column.defaultExpression !== null) parts.push(`default ${column.defaultExpression}`)
  if (!column.nullable) parts.push('not null')
  return parts.join(' ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
