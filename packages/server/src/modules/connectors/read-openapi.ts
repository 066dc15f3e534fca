import type { InvalidPart } from '@millrace/contract'
import * as z from 'zod'
import { escapePointer } from '#platform/json-pointer.ts'
import { parseValue } from '#platform/validation/parse-value.ts'
import type { Check, ConnectorDocument, ConnectorOperation } from './model.ts'
import type { ReadConnector } from './read-manifest.ts'
import { validateOpenApi } from './validate-openapi.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

const Operation = z.looseObject({ operationId: z.string().optional(), summary: z.string().optional(), servers: z.unknown().optional() })
const Head = z.looseObject({
  openapi: z.string().regex(/^3\.[01]\.\d+$/, { error: 'Must be 3.0 or 3.1. Convert an older document first.' }),
  info: z.looseObject({ title: z.string().min(1).max(200), version: z.string().min(1).max(100) }),
  servers: z
    .array(z.looseObject({ url: z.string().max(500) }))
    .min(1, { error: 'Must name at least one server.' })
    .max(20),
  paths: z.record(z.string(), z.looseObject({})),
})

const operationsMax = 5_000

/** Reads an OpenAPI 3 document, and validates it against the schema of the specification. No reference leads out of it. */
export async function readOpenApi(document: ConnectorDocument): Promise<ReadConnector> {
  const read = parseValue(Head, document, '/document')
  if (read.errors !== undefined) return { title: '', version: '', servers: [], operations: [], errors: read.errors, checks: [] }
  const { data } = read
  const outside = outsideReferences(document, '/document')
  const { operations, errors, unnamed } = operationsOf(data.paths)
  // The parser would follow the references, so it gets only documents without any that lead out.
  const invalid = outside.length > 0 ? [] : await validateOpenApi(document)
  const checks: Check[] = unnamed === 0 ? [] : [unnamedCheck(unnamed)]
  return {
    title: data.info.title,
    version: data.info.version,
    servers: data.servers.map(({ url }, index) => ({ url, pointer: `/document/servers/${index}/url` })),
    operations,
    errors: [...outside, ...errors, ...invalid],
    checks,
  }
}

function unnamedCheck(count: number): Check {
  const detail = `${count} operations have no operationId and cannot be called by name.`
  return { name: 'operation-ids', severity: 'warning', detail, pointer: '/document/paths' }
}

function operationsOf(paths: z.output<typeof Head>['paths']) {
  const operations: ConnectorOperation[] = []
  const errors: InvalidPart[] = []
  let unnamed = 0
  for (const [path, item] of Object.entries(paths))
    for (const method of methods) {
      const pointer = `/document/paths/${escapePointer(path)}`
      if (item['servers'] !== undefined)
        errors.push({ pointer: `${pointer}/servers`, detail: 'Servers are named once, for the whole document.' })
      if (item[method] === undefined) continue
      const { data } = Operation.safeParse(item[method])
      if (data === undefined) errors.push({ pointer: `${pointer}/${method}`, detail: 'Must be an operation.' })
      else if (data.servers !== undefined)
        errors.push({ pointer: `${pointer}/${method}/servers`, detail: 'Servers are named once, for the whole document.' })
      else if (data.operationId === undefined) unnamed += 1
      else operations.push({ name: data.operationId, method, path, summary: (data.summary ?? '').slice(0, 300) })
    }
  const pointer = '/document/paths'
  if (operations.length === 0) errors.push({ pointer, detail: 'Must have at least one operation with an operationId.' })
  if (operations.length > operationsMax) errors.push({ pointer, detail: `Must have at most ${operationsMax} operations.` })
  return { operations, errors, unnamed }
}

/** References that would be fetched from elsewhere. */
function outsideReferences(value: unknown, pointer: string): InvalidPart[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => {
    const at = `${pointer}/${escapePointer(key)}`
    if (key === '$ref' && typeof member === 'string' && !member.startsWith('#'))
      return [{ pointer: at, detail: 'A reference must lead into the same document (#/…).' }]
    return outsideReferences(member, at)
  })
}
