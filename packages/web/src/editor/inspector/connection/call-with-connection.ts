import type { Json, JsonObject } from '@millrace/dsl'
import { isObject } from '#src/document/task-json.ts'

/** Headers that the connection sends. */
const credentials = /^(?:authorization|proxy-authorization|x-api-key|api-key|apikey|x-auth-token|x-access-token|x-token|private-token)$/i
const taken = ['method', 'query', 'body', 'output', 'redirect'] as const

/** An HTTP request as one with a connection: what follows the host of its address is the path, and its credentials go. */
export function callWithConnection(task: JsonObject, connection: string): JsonObject {
  const given = isObject(task['with']) ? task['with'] : {}
  const path = pathOf(given['endpoint'])
  const sent = isObject(given['headers']) ? Object.entries(given['headers']).filter(([name]) => !credentials.test(name)) : []
  const headers: JsonObject = isObject(given['headers']) && sent.length > 0 ? { headers: Object.fromEntries(sent) } : {}
  const kept: JsonObject = typeof given['headers'] === 'string' ? { headers: given['headers'] } : headers
  const same = Object.fromEntries(taken.flatMap((key) => (given[key] === undefined ? [] : [[key, given[key]]])))
  return { ...task, call: 'http.request', with: { connection, ...(path === undefined ? {} : { path }), ...same, ...kept } }
}

/** What follows the host; undefined for an address that is computed as a whole. */
function pathOf(endpoint: Json | undefined): string | undefined {
  const text = isObject(endpoint) ? endpoint['uri'] : endpoint
  if (typeof text !== 'string') return undefined
  const [, path = ''] = /^https?:\/\/[^/?#]*(.*)$/i.exec(text) ?? []
  if (path !== '') return path.includes('{') ? `\${ ${JSON.stringify(path).replaceAll(/\{(\w+)\}/g, String.raw`\(.$1 | @uri)`)} }` : path
  const rest = /^\s*\$\{\s*"https?:\/\/[^/?#"\\]*(?=[/?])([^]*)$/i.exec(text)?.[1]
  return rest === undefined ? undefined : `\${ "${rest}`
}
