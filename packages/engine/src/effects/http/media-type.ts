export interface MediaType {
  /** `type/subtype` in lower case. */
  readonly essence: string
  /** In lower case, when given. */
  readonly charset: string | undefined
}

/** Reads a `Content-Type`; undefined when it is absent or invalid. Source: RFC 9110, section 8.3.1. */
export function parseMediaType(header: string | undefined): MediaType | undefined {
  const match = header === undefined ? null : /^\s*([\w!#$&^.+*-]+\/[\w!#$&^.+*-]+)\s*(?:;|$)/.exec(header)
  if (header === undefined || match?.[1] === undefined) return undefined
  const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(header)
  return { essence: match[1].toLowerCase(), charset: (charset?.[1] ?? charset?.[2])?.toLowerCase() }
}

/** Whether the media type is JSON or based on it. */
export function isJsonType(essence: string): boolean {
  return essence === 'application/json' || essence === 'text/json' || essence.endsWith('+json')
}

/** Whether the media type is text for people. */
export function isTextType(essence: string): boolean {
  return essence.startsWith('text/') || essence.endsWith('+xml') || essence.endsWith('+yaml') || textual.has(essence)
}

export const formType = 'application/x-www-form-urlencoded'

const textual: ReadonlySet<string> = new Set([
  formType,
  'application/xml',
  'application/yaml',
  'application/x-yaml',
  'application/javascript',
  'application/ecmascript',
  'application/x-ndjson',
  'application/jsonl',
  'application/graphql',
  'application/sql',
  'application/toml',
  'application/rtf',
])
