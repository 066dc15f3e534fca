import type { Json, JsonObject } from '#src/json.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import { calledFunction, type KnownNames } from '#src/tasks/called-function.ts'
import { catalogFunction } from '#src/tasks/catalog-function.ts'
import type { CatalogFunction } from '#src/validate/options.ts'

/** The members of the outputs of functions that come with Millrace, as their manifests in the server have them. */
const catalogOutputs: ReadonlyMap<string, readonly string[]> = new Map([
  ['agent', ['outcome', 'answer', 'turns', 'toolCalls', 'inputTokens', 'outputTokens', 'cost']],
  ['approve', ['approved', 'outcome', 'data', 'details', 'answers', 'approval', 'decidedAt']],
  ['email', ['messageId', 'accepted', 'rejected']],
  ['model', ['text', 'data', 'finish', 'model', 'modelId', 'promptDigest', 'usage']],
  ['crypto.decrypt', ['text', 'contentBase64']],
  ['crypto.encrypt', ['encryptedBase64']],
  ['crypto.hash', ['digest']],
  ['crypto.hmac', ['digest']],
  ['crypto.random', ['value', 'uuid']],
  ['csv.parse', ['rows']],
  ['csv.write', ['text']],
  ['date.add', ['time', 'timestamp']],
  ['date.difference', ['value', 'duration']],
  ['date.format', ['text']],
  ['date.parse', ['time', 'timestamp']],
  ['einvoice.create', ['id', 'number', 'counter', 'currency', 'total', 'findings', 'xml', 'pdf']],
  ['einvoice.validate', ['valid', 'errors', 'findings']],
  ['files.delete', ['name']],
  ['files.get', ['name', 'size', 'contentType', 'sha256', 'updatedAt', 'expiresAt', 'contentBase64', 'text', 'json']],
  ['files.list', ['files', 'nextCursor']],
  ['files.put', ['name', 'size', 'contentType', 'sha256', 'updatedAt', 'expiresAt']],
  ['files.stat', ['name', 'size', 'contentType', 'sha256', 'updatedAt', 'expiresAt']],
  ['mysql.query', ['rows', 'rowCount']],
  ['pdf.text', ['pageCount', 'pages']],
  ['postgres.query', ['rows', 'rowCount']],
  ['rss.read', ['format', 'title', 'link', 'items']],
  ['spreadsheet.read', ['sheets', 'rows']],
  ['spreadsheet.write', ['contentBase64']],
  ['tables.add', ['created', 'row']],
  ['tables.count', ['count']],
  ['tables.delete', ['deleted', 'row']],
  ['tables.get', ['found', 'row']],
  ['tables.increment', ['value', 'created']],
  ['tables.list', ['rows', 'nextCursor']],
  ['tables.put', ['created', 'row']],
  ['tables.update', ['created', 'row']],
  ['xml.parse', ['document']],
  ['xml.write', ['text']],
])

/** The version of those functions. */
const catalogVersion = '1.0.0'

/** The names that calls are resolved by, and the functions of the installation and the account, as far as they are known. */
export interface KnownFunctions extends KnownNames {
  readonly catalog: readonly CatalogFunction[]
}

/** The members that the output of a call or a process has at most; undefined if that depends on more than the task. */
export function outputMembers(task: JsonObject, known: KnownFunctions): readonly string[] | undefined {
  const run = objectAt(task, 'run')
  if (run !== undefined) return run['return'] === 'all' && run['await'] !== false && !('workflow' in run) ? processMembers : undefined
  const { call } = task
  if (typeof call !== 'string') return undefined
  const called = calledFunction(call, known)
  if (called.kind === 'built-in') return call === 'http' && objectAt(task, 'with')?.['output'] === 'response' ? responseMembers : undefined
  if (called.kind !== 'default') return undefined
  const found = catalogFunction(known.catalog, called.name, called.version)
  if (found?.output !== undefined) return closedMembers(found.output)
  return called.version === undefined || called.version === catalogVersion ? catalogOutputs.get(called.name) : undefined
}

const processMembers = ['code', 'stdout', 'stderr']
const responseMembers = ['request', 'statusCode', 'headers', 'content']

/** The members of an object that a schema allows no others in. */
function closedMembers(schema: Json): readonly string[] | undefined {
  if (!isObject(schema) || schema['type'] !== 'object' || schema['additionalProperties'] !== false) return undefined
  return 'patternProperties' in schema ? undefined : Object.keys(objectAt(schema, 'properties') ?? {})
}
