import { LRUCache } from 'lru-cache'
import type { JsonValue } from '@millrace/contract'
import { type InputRead, inputReads } from '@millrace/dsl'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

/** The input that a workflow takes: that of its latest version, or of its draft. */
export interface InputShape {
  readonly enabled: boolean
  /** Always true of a draft. */
  readonly exists: boolean
  /** Of the document, or else the name of the workflow where a person gave it one. */
  readonly title: string | undefined
  /** JSON Schema; undefined without one in the definition. */
  readonly schema: JsonValue | undefined
}

interface ShapeRow {
  readonly id: string
  readonly enabled: boolean
  readonly exists: boolean
  readonly title: string | null
  readonly schema: string | null
}

/** The inputs of workflows by id; those that were deleted are left out. */
export async function findInputShapes(
  executor: Kysely<Rows>,
  accountId: string,
  ids: readonly string[],
  what: 'draft' | 'version' = 'version',
): Promise<ReadonlyMap<string, InputShape>> {
  if (ids.length === 0) return new Map()
  const definition = what === 'draft' ? sql`w.definition` : sql`v.definition`
  const { rows } = await sql<ShapeRow>`
    select w.id, w.enabled, ${definition} is not null as exists,
      coalesce(${definition} #>> '{document,title}', nullif(w.name, w.document_name)) as title,
      ${definition} #>> '{input,schema,document}' as schema
    from workflows w left join workflow_versions v on v.workflow_id = w.id and v.number = w.latest_number
    where w.account_id = ${accountId} and w.id = any(${ids}::uuid[]) and w.deleted_at is null`.execute(executor)
  return new Map(
    rows.map(({ id, enabled, exists, title, schema }) => [id, { enabled, exists, title: title ?? undefined, schema: schemaOf(schema) }]),
  )
}

/** By the text of the definition: following one takes tens of milliseconds, and the pages of its triggers ask for it again and again. */
const knownReads = new LRUCache<string, readonly InputRead[]>({
  max: 200,
  maxSize: 10_000_000,
  sizeCalculation: (_reads, text) => text.length,
})

function readsOf(definition: string): readonly InputRead[] {
  const reads = knownReads.get(definition) ?? inputReads(JSON.parse(definition))
  knownReads.set(definition, reads)
  return reads
}

/** The parts of their inputs that workflows read, by id: of their latest versions, or of the drafts of those that were never published. */
export async function findInputReads(
  executor: Kysely<Rows>,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly InputRead[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ readonly id: string; readonly definition: string }>`
    select w.id, coalesce(v.definition, w.definition)::text as definition
    from workflows w left join workflow_versions v on v.workflow_id = w.id and v.number = w.latest_number
    where w.account_id = ${accountId} and w.id = any(${ids}::uuid[]) and w.deleted_at is null`.execute(executor)
  return new Map(rows.map(({ id, definition }) => [id, readsOf(definition)]))
}

/** The input schema of the latest version of a workflow by the names of its document; undefined without one that can run. */
export async function findInputSchema(
  executor: Kysely<Rows>,
  accountId: string,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<{ readonly schema: JsonValue | undefined } | undefined> {
  const { rows } = await sql<{ readonly schema: string | null }>`
    select v.definition #>> '{input,schema,document}' as schema
    from workflows w
    join workflow_versions v on v.workflow_id = w.id and v.number = w.latest_number
    where w.account_id = ${accountId} and w.namespace = ${namespace} and w.document_name = ${name} and w.deleted_at is null and w.enabled`.execute(
    executor,
  )
  const [found] = rows
  if (found === undefined) return undefined
  return { schema: schemaOf(found.schema) }
}

function schemaOf(text: string | null): JsonValue | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A part of a definition that was stored as JSON.
  return text === null ? undefined : (JSON.parse(text) as JsonValue)
}
