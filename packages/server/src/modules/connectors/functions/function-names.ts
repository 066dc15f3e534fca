import { isObject, type Json, type JsonObject, textOf } from '@millrace/engine'

/** One function of a connector. */
export interface ConnectorFunction {
  /** The part of the name after the dot. */
  readonly name: string
  readonly summary: string
  readonly method: string
  readonly path: string
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const
const nameMax = 100
const summaryMax = 300

/** The functions of an OpenAPI document, each with the name of its operation in the letters that a call can have. */
export function namedOperations(
  root: JsonObject,
): readonly (ConnectorFunction & { readonly operation: JsonObject; readonly item: JsonObject })[] {
  const taken = new Set<string>()
  return Object.entries(isObjectAt(root, 'paths')).flatMap(([path, item]) =>
    isObject(item) && path.startsWith('/')
      ? methods.flatMap((method) => {
          const operation = item[method]
          if (operation === undefined || !isObject(operation)) return []
          const name = unique(nameOf(operation['operationId'], method, path), taken)
          return [{ name, summary: summaryOf(operation, method, path), method, path, operation, item }]
        })
      : [],
  )
}

/** The document with the names of its functions as ids of its operations. */
export function withFunctionNames(root: JsonObject): JsonObject {
  const paths: Record<string, Json> = { ...isObjectAt(root, 'paths') }
  for (const { name, method, path, operation } of namedOperations(root)) {
    const item = paths[path]
    if (item !== undefined && isObject(item)) paths[path] = { ...item, [method]: { ...operation, operationId: name } }
  }
  return { ...root, paths }
}

function nameOf(operationId: Json | undefined, method: string, path: string): string {
  const id = typeof operationId === 'string' && operationId !== '' ? operationId : `${method}${path}`
  const name = id.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replaceAll(/^-+|-+$/g, '')
  return (/^[A-Za-z]/.test(name) ? name : `call-${name}`).slice(0, nameMax)
}

function unique(name: string, taken: Set<string>): string {
  let candidate = name
  for (let number = 2; taken.has(candidate); number++) candidate = `${name.slice(0, nameMax - 4)}-${number}`
  taken.add(candidate)
  return candidate
}

function summaryOf({ summary, description }: JsonObject, method: string, path: string): string {
  const text = [textOf(summary), textOf(description)].find((given) => given !== undefined && given.trim() !== '') ?? ''
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return (line === '' ? `${method.toUpperCase()} ${path}` : line).slice(0, summaryMax)
}

export function isObjectAt(parent: JsonObject, key: string): JsonObject {
  const value = parent[key]
  return value !== undefined && isObject(value) ? value : {}
}
