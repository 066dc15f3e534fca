import type pg from 'pg'
import type { TableHeader } from './backup-format.ts'

/** The schemas of an installation: its own tables and those of the job queue. */
const schemas = ['public', 'pgboss']

/**
 * Tables with the columns that are stored by a writer, in an order in which every table follows those that its foreign keys refer to. Of a
 * partitioned table only the parent is listed, whose rows are those of all its partitions.
 */
export async function listTables(client: pg.Client): Promise<readonly TableHeader[]> {
  const { rows } = await client.query<TableHeader & { readonly oid: number }>(
    `select c.oid::int8::float8 as oid, n.nspname as schema, c.relname as "table", array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition and (n.nspname, c.relname) not in (('public', 'schema_migrations'), ('pgboss', 'version'))
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.oid, n.nspname, c.relname order by n.nspname desc, c.relname`,
    [schemas],
  )
  const references = await client.query<{ readonly from: number; readonly to: number }>(
    `select conrelid::int8::float8 as "from", confrelid::int8::float8 as "to" from pg_constraint where contype = 'f' and conrelid <> confrelid`,
  )
  return inOrder(rows, references.rows).map(({ schema, table, columns }) => ({ schema, table, columns }))
}

function inOrder<T extends { readonly oid: number }>(
  tables: readonly T[],
  references: readonly { readonly from: number; readonly to: number }[],
): readonly T[] {
  const ordered: T[] = []
  const seen = new Set<number>()
  const add = (table: T): void => {
    if (seen.has(table.oid)) return
    seen.add(table.oid)
    for (const { from, to } of references) {
      const target = from === table.oid ? tables.find(({ oid }) => oid === to) : undefined
      if (target !== undefined) add(target)
    }
    ordered.push(table)
  }
  for (const table of tables) add(table)
  return ordered
}

/** The last value of each sequence that was used, by its qualified name. */
export async function readSequences(client: pg.Client): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<{ readonly name: string; readonly value: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value
     from pg_sequences where schemaname = any($1) and last_value is not null`,
    [schemas],
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** A qualified name for SQL. */
export function qualified({ schema, table }: Pick<TableHeader, 'schema' | 'table'>): string {
  return `${quoted(schema)}.${quoted(table)}`
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
