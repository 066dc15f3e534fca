import { isObject, type Json, type JsonObject } from '#core/json.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import { ownProperty, ownObject } from '#effects/openapi/own-property.ts'
import type { OpenApiDocument, OperationPlace } from './document.ts'
import { resolve } from './reference.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

/** Finds every operation that has an operationId. Paths that cannot be resolved hide their own operations and no others. */
export function indexOperations(root: JsonObject): Pick<OpenApiDocument, 'operations' | 'unresolvedPaths'> {
  const operations = new Map<string, OperationPlace[]>()
  const unresolvedPaths: string[] = []
  for (const [path, value] of Object.entries(ownObject(root, 'paths'))) {
    if (!path.startsWith('/')) continue
    const item = pathItem(root, value)
    if (item === undefined) unresolvedPaths.push(path)
    else for (const place of operationsOf(path, item)) add(operations, place)
  }
  return { operations, unresolvedPaths }
}

/** A path item may have properties beside its `$ref`; they go before those of the one that it refers to. */
function pathItem(root: JsonObject, value: Json): JsonObject | undefined {
  try {
    const resolved = resolve(root, value)
    if (!isObject(resolved)) return undefined
    return resolved === value || !isObject(value) ? resolved : { ...resolved, ...value }
  } catch (error) {
    if (error instanceof HttpCallError) return undefined
    throw error
  }
}

function operationsOf(path: string, item: JsonObject): readonly OperationPlace[] {
  return methods.flatMap((method) => {
    const operation = ownProperty(item, method)
    return isObject(operation) ? [{ method: method.toUpperCase(), path, item, operation }] : []
  })
}

function add(operations: Map<string, OperationPlace[]>, place: OperationPlace): void {
  const id = ownProperty(place.operation, 'operationId')
  if (typeof id !== 'string') return
  const known = operations.get(id)
  if (known === undefined) operations.set(id, [place])
  else known.push(place)
}
