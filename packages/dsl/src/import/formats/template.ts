import { splitBraces } from '#src/import/braces.ts'
import { isRecord } from '#src/import/value.ts'

/** jq of what stands between double braces; undefined where its meaning is not certain. */
export type ReadReference = (text: string) => string | undefined

/** jq of a value with texts such as `Dear {{1.name}}`. `onUnknown` gets each reference that could not be translated; it becomes null. */
export function templateJq(value: unknown, read: ReadReference, onUnknown: (reference: string) => void): string {
  if (Array.isArray(value)) return `[${value.map((one) => templateJq(one, read, onUnknown)).join(', ')}]`
  if (isRecord(value))
    return `{${Object.entries(value)
      .map(([key, one]) => `${JSON.stringify(key)}: ${templateJq(one, read, onUnknown)}`)
      .join(', ')}}`
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null'
  const parts = splitBraces(value)
  if (parts.length === 1) return JSON.stringify(value)
  const reference = (text: string) => {
    const jq = read(text.trim())
    if (jq === undefined) onUnknown(text.trim())
    return jq ?? 'null'
  }
  if (parts.length === 3 && parts[0] === '' && parts[2] === '') return reference(parts[1] ?? '')
  const pieces = parts.flatMap((part, index) => {
    if (index % 2 === 1) return [`(${reference(part)} | if . == null then "" elif type == "string" then . else tostring end)`]
    return part === '' ? [] : [JSON.stringify(part)]
  })
  return `(${pieces.join(' + ')})`
}

/** A value as a definition has it: a constant where nothing is computed. */
export function leafOf(value: unknown, read: ReadReference, onUnknown: (reference: string) => void): unknown {
  const jq = templateJq(value, read, onUnknown)
  return isConstant(value) ? value : `\${ ${jq} }`
}

function isConstant(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('{{') && !value.includes('${')
  if (Array.isArray(value)) return value.every(isConstant)
  return isRecord(value) ? Object.values(value).every(isConstant) : true
}

/** jq of a path such as `.data.items[0]['a b']` behind a root; undefined if it is more than a path. */
export function pathJq(path: string): string | undefined {
  let rest = path
  let jq = ''
  while (rest !== '') {
    const found = /^(?:\.([A-Za-z_$][\w$-]*)|\[(\d+)\]|\[(?:'([^'\\]*)'|"([^"\\]*)")\]|\.`([^`]*)`)/.exec(rest)
    if (found === null) return undefined
    const [whole, name, index, single, double, quoted] = found
    jq += index === undefined ? `[${JSON.stringify(name ?? single ?? double ?? quoted ?? '')}]?` : `[${index}]?`
    rest = rest.slice(whole.length)
  }
  return jq
}

/** An HTTP call from parts that may be computed. */
export function httpCall(
  parts: { readonly method: unknown; readonly url: unknown; readonly headers?: unknown; readonly query?: unknown; readonly body?: unknown },
  read: ReadReference,
  onUnknown: (reference: string) => void,
): Record<string, unknown> {
  const leaf = (value: unknown) => leafOf(value, read, onUnknown)
  const method = typeof parts.method === 'string' ? parts.method.toLowerCase() : ''
  const hasBody = parts.body !== undefined && parts.body !== null && parts.body !== '' && method !== 'get' && method !== 'head'
  const given = (value: unknown) => isRecord(value) && Object.keys(value).length > 0
  const url = typeof parts.url === 'string' ? parts.url : ''
  const isPlain = /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w\-./~%]*)?$/.test(url)
  return {
    call: 'http',
    with: {
      method: /^(?:get|post|put|patch|delete|head|options)$/.test(method) ? method : 'get',
      endpoint: isPlain ? url : `\${ ${templateJq(url, read, onUnknown)} }`,
      ...(given(parts.headers) ? { headers: leaf(parts.headers) } : {}),
      ...(given(parts.query) ? { query: leaf(parts.query) } : {}),
      ...(hasBody ? { body: leaf(parts.body) } : {}),
      output: 'response',
    },
  }
}
