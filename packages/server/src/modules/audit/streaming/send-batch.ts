import { JsonValue } from '@millrace/contract'
import type { GuardedAddress } from '#platform/net/guarded-address.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { NetError } from '#platform/net/net-error.ts'
import { signatureHeaders } from '#platform/net/webhook-signature.ts'
import type { AuditTarget } from './destination.ts'
import { writeObject } from './send-objects.ts'
import { sendSyslog, syslogFrame } from './syslog.ts'

export interface SendBatchDeps {
  readonly http: Pick<GuardedFetch, 'request'>
  readonly address: GuardedAddress
  /** The body, a JSON array, as it may leave the installation. Throws a NetError if nothing may. */
  readonly admit: (batch: { readonly accountId: string; readonly url: string; readonly body: string }) => Promise<string>
  /** The name of the installation in syslog. */
  readonly host: string
  readonly now: () => number
}

export interface Line {
  readonly at: string
  readonly event: string
  /** JSON text without line breaks. */
  readonly text: string
}

export interface Batch {
  /** The same whenever the same lines are sent. */
  readonly id: string
  readonly accountId: string
  readonly target: AuditTarget
  /** The name of an object, for S3. */
  readonly key: string
  /** Null for syslog. */
  readonly secret: Uint8Array | undefined
  readonly lines: readonly Line[]
}

/** Why an attempt failed. */
export interface Failure {
  readonly error: string
  /** The receiver wants nothing more. */
  readonly isGone: boolean
}

const timeoutMs = 15_000
const responseBytesMax = 1024 * 1024

/** Makes one attempt. @returns undefined for a success. Throws only the reason of the signal. */
export async function sendBatch(deps: SendBatchDeps, batch: Batch, signal: AbortSignal): Promise<Failure | undefined> {
  try {
    const lines = await admittedLines(deps, batch)
    if (batch.target.kind === 'http') return await post(deps, batch, batch.target.url, lines, signal)
    if (batch.target.kind === 's3') return await put(deps, batch, batch.target, lines, signal)
    const frames = lines.map((line) => syslogFrame(deps.host, line))
    await sendSyslog(deps.address, batch.target, frames, signal)
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof NetError)) throw error
    return { error: error.message, isGone: false }
  }
}

async function put(
  { http }: SendBatchDeps,
  { secret, key }: Batch,
  target: Extract<AuditTarget, { readonly kind: 's3' }>,
  lines: readonly Line[],
  signal: AbortSignal,
): Promise<Failure | undefined> {
  if (secret === undefined) return { error: noSecret, isGone: false }
  const error = await writeObject(http, { target, secret, key, body: bodyOf(lines) }, signal)
  return error === undefined ? undefined : { error, isGone: false }
}

const noSecret = 'the secret cannot be opened: create the destination again'
const bodyOf = (lines: readonly Line[]) => lines.map(({ text }) => `${text}\n`).join('')

async function post(
  { http, now }: SendBatchDeps,
  { id, secret }: Batch,
  url: string,
  lines: readonly Line[],
  signal: AbortSignal,
): Promise<Failure | undefined> {
  if (secret === undefined) return { error: noSecret, isGone: false }
  const body = bodyOf(lines)
  const signature = signatureHeaders({ id, timestamp: Math.floor(now() / 1000), body }, [secret])
  const headers = { 'content-type': 'application/x-ndjson; charset=utf-8', 'user-agent': 'Millrace', ...signature }
  const { status } = await http.request(
    { method: 'POST', url, headers, body, followRedirects: false, timeoutMs, maxResponseBytes: responseBytesMax },
    signal,
  )
  if (status >= 200 && status < 300) return undefined
  const isRedirect = status >= 300 && status < 400
  return { error: `the endpoint responded ${status}${isRedirect ? ': redirects are not followed' : ''}`, isGone: status === 410 }
}

async function admittedLines({ admit }: SendBatchDeps, { accountId, target, lines }: Batch): Promise<readonly Line[]> {
  const body = `[${lines.map(({ text }) => text).join(',')}]`
  const admitted = await admit({ accountId, url: urlOf(target), body })
  if (admitted === body) return lines
  const values = JsonValue.parse(JSON.parse(admitted))
  if (!Array.isArray(values) || values.length !== lines.length) throw new Error('an admitted batch has other lines')
  return lines.map((line, index) => ({ ...line, text: JSON.stringify(values[index]) }))
}

function urlOf(target: AuditTarget): string {
  if (target.kind !== 'syslog') return target.url
  return `https://${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}/`
}
