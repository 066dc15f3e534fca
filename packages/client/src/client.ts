import { type AnyOperation, type HandledNames, isAlias, type OperationGroup, type Reply, type Sent } from '@millrace/contract'
import { clientErrorOf, ClientError, foreignReply, parsed } from './client-error.ts'
import { type CallOptions, headersOf, type Parts, urlOf } from './request.ts'

export type Groups = Readonly<Record<string, OperationGroup>>

/** Calls one operation; `sent` is optional if none of its parts is required. */
export type Call<O extends AnyOperation> =
  Partial<Sent<O>> extends Sent<O>
    ? (sent?: Sent<O>, options?: CallOptions) => Promise<Reply<O>>
    : (sent: Sent<O>, options?: CallOptions) => Promise<Reply<O>>

/** A call for every operation of every group; aliases have none, since their targets do. */
export type Client<G extends Groups> = {
  readonly [Name in keyof G]: { readonly [Op in HandledNames<G[Name]>]: Call<G[Name][Op]> }
}

export interface ClientOptions<G extends Groups> {
  /** Origin of the server, such as `http://127.0.0.1:3000`. */
  readonly baseUrl: string
  /** Access token or API key; a function is called before every request. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>)
  readonly groups: G
  /** Whether a reply without the members that its operation declares is an error: for an address that may be another program's. */
  readonly checkReplies?: boolean
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /**
   * Retries of a call that failed to connect, exceeded a rate limit or met an unavailable server; 0 unless given. They are safe, since the
   * retries of a POST have the same idempotency key.
   */
  readonly retries?: number
  /** Called before the wait for each retry, such as to log that a rate limit slows the program down. */
  readonly onRetry?: (retry: Retry) => void
  readonly newIdempotencyKey?: () => string
  readonly sleep?: (ms: number) => Promise<void>
}

export interface Retry {
  /** Id of the operation, such as `workflows.execute`. */
  readonly operation: string
  /** Why the call failed: a `ClientError`, or a `TypeError` without a connection. */
  readonly error: unknown
  /** From 1 on. */
  readonly retry: number
  /** How long the client waits. */
  readonly delayMs: number
}

const retryDelayMsFirst = 200
const retryDelayMsMax = 30_000

/** Makes a client from the declarations of the operations. */
export function createClient<G extends Groups>(options: ClientOptions<G>): Client<G> {
  const client: Record<string, Record<string, unknown>> = {}
  for (const [groupName, group] of Object.entries(options.groups)) {
    const calls: Record<string, unknown> = {}
    for (const [name, op] of Object.entries(group))
      if (!isAlias(op)) calls[name] = (sent: Parts = {}, callOptions: CallOptions = {}) => call(options, op, sent, callOptions)
    client[groupName] = calls
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Built above from the same declarations as the type.
  return client as Client<G>
}

async function call(options: ClientOptions<Groups>, op: AnyOperation, parts: Parts, callOptions: CallOptions): Promise<unknown> {
  const { fetch = globalThis.fetch, newIdempotencyKey = () => crypto.randomUUID(), retries = 0, sleep = wait } = options
  const url = urlOf(options.baseUrl, op, parts)
  const token = typeof options.token === 'function' ? await options.token() : options.token
  const init: RequestInit = {
    method: op.method,
    headers: headersOf(op, parts, callOptions, token, newIdempotencyKey),
    ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
    ...(callOptions.signal === undefined ? {} : { signal: callOptions.signal }),
  }
  for (let attempt = 0; ; attempt++) {
    try {
      return await sendOnce(fetch, op, url, init, { ...callOptions, isChecked: options.checkReplies === true })
    } catch (error) {
      if (attempt >= retries || !isTransient(error) || callOptions.signal?.aborted) throw error
      const retryAfterSeconds = error instanceof ClientError ? error.retryAfterSeconds : undefined
      const wantedMs = retryAfterSeconds === undefined ? retryDelayMsFirst * 2 ** attempt : retryAfterSeconds * 1000
      const delayMs = Math.min(retryDelayMsMax, wantedMs)
      options.onRetry?.({ operation: op.id, error, retry: attempt + 1, delayMs })
      await sleep(delayMs)
    }
  }
}

async function sendOnce(
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  op: AnyOperation,
  url: string,
  init: RequestInit,
  { onResponse, isChecked }: Pick<CallOptions, 'onResponse'> & { readonly isChecked: boolean },
): Promise<unknown> {
  const response = await fetch(url, init)
  onResponse?.(response)
  if (!response.ok) throw await clientErrorOf(op.id, response)
  if (op.media !== undefined) return response.text()
  const text = await response.text()
  const reply = parsed(text)
  if (reply !== undefined && (!isChecked || hasMembersOf(op, reply))) return reply
  throw foreignReply(op.id, response)
}

/** Whether a reply has the members that every reply of the operation has; a newer server may send more. */
function hasMembersOf({ reply: schema }: AnyOperation, reply: unknown): boolean {
  if (!('shape' in schema)) return true
  if (typeof reply !== 'object' || reply === null) return false
  return Object.entries(Object(schema.shape)).every(([name, member]) => name in reply || isOptional(member))
}

function isOptional(member: unknown): boolean {
  return member instanceof Object && 'isOptional' in member && typeof member.isOptional === 'function' && member.isOptional() === true
}

/** Whether a retry can succeed: no connection, a rate limit, an unavailable server. An exhausted quota is permanent. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof ClientError)) return error instanceof TypeError
  return error.code === 'rate_limited' || error.code === 'idempotency_in_progress' || [502, 503, 504].includes(error.status)
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
