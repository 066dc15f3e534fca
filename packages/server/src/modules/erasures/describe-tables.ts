import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

export interface DescribedColumn {
  readonly name: string
  /** As PostgreSQL writes it, such as `text[]`. */
  readonly type: string
}

export interface DescribedTable {
  readonly name: string
  /** The columns of the primary key. */
  readonly key: readonly DescribedColumn[]
  /** Columns with texts or JSON, except those with words and positions of the product. */
  readonly texts: readonly DescribedColumn[]
  readonly hasAccount: boolean
  /** The column by which a record belongs to an execution. */
  readonly execution: string | undefined
  /** The column that says when a record was made. */
  readonly time: string | undefined
  /** The names of all columns. */
  readonly columns: ReadonlySet<string>
}

interface Row {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly key: boolean
  /** Whether a check lists the values of the column. */
  readonly listed: boolean
}

/** Columns by which the product recognizes records: another value there would make the record another one. */
const ownColumns: ReadonlySet<string> = new Set(['id', 'kind', 'state', 'position', 'table_name'])

/** Columns that say when a record was made, in the order in which they are looked for. */
const timeColumns: readonly string[] = [
  'created_at',
  'received_at',
  'opened_at',
  'requested_at',
  'answered_at',
  'started_at',
  'made_at',
  'issued_at',
  'at',
  'due_at',
  'updated_at',
]

const textTypes: ReadonlySet<string> = new Set(['text', 'json', 'jsonb', 'text[]', 'character varying'])

/** The tables of the schema with a primary key, partitions excepted. */
export async function describeTables(db: Kysely<Rows>): Promise<readonly DescribedTable[]> {
  const { rows } = await sql<Row>`
    select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type, coalesce(a.attnum = any(i.indkey), false) as key,
      exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any(k.conkey)
        and strpos(pg_get_constraintdef(k.oid), quote_ident(a.attname) || ' = ANY (ARRAY[') > 0) as listed
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname, a.attnum`.execute(db)
  return [...Map.groupBy(rows, ({ table }) => table)].map(([name, columns]) => {
    const names = new Set(columns.map(({ column }) => column))
    return {
      name,
      key: columns.filter(({ key }) => key).map(describe),
      texts: columns.filter(({ column, type, listed }) => textTypes.has(type) && !listed && !ownColumns.has(column)).map(describe),
      hasAccount: names.has('account_id'),
      execution: name === 'executions' ? 'id' : names.has('execution_id') ? 'execution_id' : undefined,
      time: timeColumns.find((time) => columns.some(({ column, type }) => column === time && type.startsWith('timestamp'))),
      columns: names,
    }
  })
}

const describe = ({ column: name, type }: Row): DescribedColumn => ({ name, type })
