import type pg from 'pg'

/** A column as PostgreSQL's own catalogue describes it. */
export interface Column {
  readonly table: string
  readonly name: string
  /** Without length or precision: `text`, `timestamp with time zone`, `uuid[]`. */
  readonly type: string
  /** As it is written in a declaration: `character varying(20)`. */
  readonly declaredType: string
  readonly nullable: boolean
  readonly defaultExpression: string | null
  /** `a` always, `d` by default, empty when it is no identity column. */
  readonly identity: '' | 'a' | 'd'
  readonly generated: boolean
  readonly comment: string | null
}

export interface Table {
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly unlogged: boolean
  readonly options: string | null
  /** Such as `RANGE (id)`; null where the table has no partitions. */
  readonly partitionedBy: string | null
  readonly rowSecurity: boolean
  readonly comment: string | null
  /** Only of a view. */
  readonly definition: string | null
}

/** A statement or clause that belongs to a table, or to none. */
export interface Definition {
  readonly table: string
  readonly name: string
  readonly definition: string
}

export interface Catalogue {
  readonly tables: readonly Table[]
  readonly columns: readonly Column[]
  readonly constraints: readonly Definition[]
  readonly indexes: readonly Definition[]
  readonly policies: readonly Definition[]
  readonly grants: readonly Definition[]
  readonly triggers: readonly Definition[]
  readonly functions: readonly Definition[]
}

// The migrator's own table is created and read by the migrator alone. Partitions are named after times, and are what their table
// is. Collation "C" makes the order the same everywhere.
const ours = `n.nspname = 'public' and c.relname <> 'schema_migrations' and not c.relispartition`
const relations = `pg_class c join pg_namespace n on n.oid = c.relnamespace and ${ours}`

const queries: Readonly<Record<keyof Catalogue, string>> = {
  tables: `
    select c.relname as name, case c.relkind when 'v' then 'view' else 'table' end as kind, c.relpersistence = 'u' as unlogged,
      array_to_string(c.reloptions, ', ') as options, pg_get_partkeydef(c.oid) as "partitionedBy",
      c.relrowsecurity as "rowSecurity", obj_description(c.oid, 'pg_class') as comment,
      case c.relkind when 'v' then pg_get_viewdef(c.oid, true) end as definition
    from ${relations} where c.relkind in ('r', 'p', 'v') order by c.relname collate "C"`,
  columns: `
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, format_type(a.atttypid, a.atttypmod) as "declaredType",
      not a.attnotnull as nullable, pg_get_expr(d.adbin, d.adrelid) as "defaultExpression", a.attidentity as identity,
      a.attgenerated <> '' as generated, col_description(c.oid, a.attnum) as comment
    from ${relations} join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind in ('r', 'p', 'v') order by c.relname collate "C", a.attnum`,
  constraints: `
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from ${relations} join pg_constraint k on k.conrelid = c.oid and k.contype <> 'n'
    order by c.relname collate "C", array_position(array['p', 'u', 'f', 'c', 'x', 't'], k.contype::text), k.conname collate "C"`,
  indexes: `
    select c.relname as table, i.relname as name, pg_get_indexdef(i.oid) as definition
    from ${relations} join pg_index x on x.indrelid = c.oid join pg_class i on i.oid = x.indexrelid
    where not exists (select from pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u', 'x'))
    order by c.relname collate "C", i.relname collate "C"`,
  policies: `
    select tablename as table, policyname as name,
      'as ' || lower(permissive) || ' for ' || lower(cmd) || ' to ' || array_to_string(roles, ', ')
        || coalesce(' using ' || qual, '') || coalesce(' with check ' || with_check, '') as definition
    from pg_policies where schemaname = 'public' order by tablename collate "C", policyname collate "C"`,
  grants: `
    select c.relname as table, g.grantee::regrole::text as name,
      string_agg(lower(g.privilege_type), ', ' order by g.privilege_type collate "C") as definition
    from ${relations} cross join lateral aclexplode(c.relacl) g where g.grantee <> 0 and g.grantee <> c.relowner
    group by 1, 2 order by 1, 2`,
  triggers: `
    select c.relname as table, t.tgname as name, pg_get_triggerdef(t.oid) as definition
    from ${relations} join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal order by c.relname collate "C", t.tgname collate "C"`,
  functions: `
    select '' as table, p.proname as name, pg_get_functiondef(p.oid) as definition
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'public' and p.prokind in ('f', 'p')
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.proname collate "C", pg_get_function_identity_arguments(p.oid) collate "C"`,
}

/** Reads the contents of the schema `public`, in an order that depends on names alone. */
export async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const read = async <T>(query: string): Promise<readonly T[]> => (await client.query(query)).rows
  return {
    tables: await read<Table>(queries.tables),
    columns: await read<Column>(queries.columns),
    constraints: await read<Definition>(queries.constraints),
    indexes: await read<Definition>(queries.indexes),
    policies: await read<Definition>(queries.policies),
    grants: await read<Definition>(queries.grants),
    triggers: await read<Definition>(queries.triggers),
    functions: await read<Definition>(queries.functions),
  }
}
