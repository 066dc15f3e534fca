import type { AnyOperation } from '@millrace/contract'

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** The revision that the resource must have. */
  readonly ifMatch?: number
  /** Waits up to so many seconds for the end of an execution. */
  readonly waitSeconds?: number
  /** Replaces the generated key of a POST. */
  readonly idempotencyKey?: string
  readonly requestId?: string
  /** Called with the response before its body is read, for its headers. */
  readonly onResponse?: (response: Response) => void
}

/** The parts of a call. */
export interface Parts {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
}

/** Path and query of a call. */
export function urlOf(baseUrl: string, op: AnyOperation, { params = {}, query = {} }: Parts): string {
  const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === '') throw new TypeError(`${op.id} needs the parameter ${name}.`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== null) search.append(name, textOf(value))
  const text = search.toString()
  return `${baseUrl.replace(/\/+$/, '')}${path}${text === '' ? '' : `?${text}`}`
}

/** Header fields of a call. */
export function headersOf(
  op: AnyOperation,
  parts: Parts,
  options: CallOptions,
  token: string | undefined,
  newKey: () => string,
): Record<string, string> {
  const headers: Record<string, string> = { accept: op.media ?? 'application/json' }
  if (token !== undefined && (op.auth !== 'public' || op.optionalCredential === true)) headers.authorization = `Bearer ${token}`
  if (parts.body !== undefined) headers['content-type'] = 'application/json'
  if (op.method === 'POST') headers['idempotency-key'] = options.idempotencyKey ?? newKey()
  if (options.ifMatch !== undefined) headers['if-match'] = `"${options.ifMatch}"`
  if (options.waitSeconds !== undefined) headers.prefer = `wait=${options.waitSeconds}`
  if (options.requestId !== undefined) headers['x-request-id'] = options.requestId
  return headers
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
