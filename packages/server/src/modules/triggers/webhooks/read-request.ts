import { createHash } from 'node:crypto'
import { Fault } from '@millrace/contract'
import type { Json, JsonObject } from '@millrace/engine'
import type { WebhookSettings } from '#modules/triggers/model.ts'
import { contextOf } from '#modules/triggers/trigger-service.ts'
import type { RawHttpRequest } from '#platform/http/index.ts'
import { addressList } from '#platform/net/address-list.ts'
import { asSent, readContent, readGithubContent } from './read-content.ts'
import type { ReceiveDeps, Webhook } from './receive-deps.ts'
import { verifyRequest } from './verify.ts'
import { storableText } from '#platform/storable-text.ts'

/** Headers that the workflow does not get: credentials, and what belongs to the connection. */
const hiddenHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'connection',
  'content-length',
  'host',
  'millrace-depth',
])

export function reasonOf(fault: Fault): string {
  const [part] = fault.details.errors ?? []
  return storableText((part === undefined ? fault.message : `${fault.message} ${part.pointer}: ${part.detail}`).slice(0, 1_000))
}

export function assertAddress({ addresses }: WebhookSettings, ip: string): void {
  if (addresses.length > 0 && !addressList(addresses)(ip))
    throw new Fault('forbidden', { detail: `This webhook takes no requests from ${ip}.` })
}

/** A request whose body is read, or one that is a form whose parts were read while they arrived. */
export type ReceivedRequest = RawHttpRequest & { readonly form?: { readonly values: Json; readonly bytes: number } }

/** What a delivery shows of every request whose body was read. */
export function summaryOf({ method, ip, headers, body, form }: ReceivedRequest) {
  return { method, address: ip, bytes: form?.bytes ?? body.length, contentType: shortOf(headers['content-type']) }
}

/** Checks the signature, and returns the id of the delivery and the name of the cause, if it has them: the same cause starts once. */
export function verify(
  { box, now }: Pick<ReceiveDeps, 'box' | 'now'>,
  webhook: Webhook,
  request: RawHttpRequest,
): { readonly deliveryId: string | undefined; readonly cause: string | undefined } {
  const { signature, deliveryHeader } = webhook.webhook
  const secret = webhook.secret === undefined ? undefined : box.open(webhook.secret, contextOf(webhook.id))?.toString('utf8')
  const verification = verifyRequest(signature, secret, request, now())
  if (!verification.ok) throw new Fault('signature_invalid', { detail: `The request ${verification.reason}.` })
  const deliveryId =
    shortOf(deliveryHeader === undefined ? undefined : request.headers[deliveryHeader.toLowerCase()]) ??
    verification.deliveryId?.slice(0, 255)
  return { deliveryId, cause: deliveryId === undefined ? undefined : `delivery:${deliveryId}` }
}

/** What a sender repeats when it sends a request again: all but its headers, which may have a time. */
export function digestOf({ method, query, body, form }: ReceivedRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([method, query]))
    .update(form === undefined ? body : JSON.stringify(form.values))
    .digest('base64url')
}

function shortOf(header: string | readonly string[] | undefined): string | undefined {
  const value = typeof header === 'string' ? header : header?.[0]
  return value === undefined || value === '' ? undefined : value.slice(0, 255)
}

/** What the workflow gets of a request. */
export function contentOf(
  { rawBody = false, signature }: Pick<WebhookSettings, 'rawBody' | 'signature'>,
  request: ReceivedRequest,
  deliveryId: string | undefined,
  nowMs: number,
): JsonObject {
  const { method, headers, query, body, form } = request
  if (JSON.stringify(query).includes('\\u0000')) throw new Fault('malformed_request', { detail: 'The URL contains the character NUL.' })
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
    throw new Fault('unsupported_media_type', { detail: 'Send the body uncompressed, without Content-Encoding.' })
  const read = signature.scheme === 'github' ? readGithubContent : readContent
  const shown = Object.entries(headers).flatMap(([name, value]): (readonly [string, Json])[] =>
    value === undefined || hiddenHeaders.has(name) ? [] : [[name, typeof value === 'string' ? value : [...value]]],
  )
  return {
    method,
    headers: Object.fromEntries(shown),
    query: query,
    body: form?.values ?? read(headers['content-type'], body),
    ...(rawBody ? { rawBody: form === undefined ? asSent(body) : null } : {}),
    contentType: headers['content-type'] ?? null,
    deliveryId: deliveryId ?? null,
    receivedAt: new Date(nowMs).toISOString(),
  }
}

/** Slack checks a new URL by a challenge, which starts nothing. */
export function challengeOf({ signature }: WebhookSettings, { body }: JsonObject): string | undefined {
  if (signature.scheme !== 'slack' || typeof body !== 'object' || body === null || !('challenge' in body)) return undefined
  return body['type'] === 'url_verification' && typeof body['challenge'] === 'string' ? body['challenge'] : undefined
}

/** Whether the test URL of a webhook takes requests. */
export function listens({ testUntil }: Webhook, nowMs: number): boolean {
  return testUntil !== undefined && testUntil.getTime() > nowMs
}
