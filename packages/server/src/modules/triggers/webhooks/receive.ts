import { createHash } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { errorCatalogue, Fault } from '@millrace/contract'
import { type Engine, type ExecutionSnapshot, isTerminal, type Json, type JsonObject, pause } from '@millrace/engine'
import { type DiscloseOutput, shownSnapshot } from '#modules/executions/index.ts'
import type { Fire } from '#modules/triggers/firing/fire.ts'
import { recordResults } from '#modules/triggers/firing/firing-store.ts'
import type { Trigger, WebhookSettings } from '#modules/triggers/model.ts'
import { findByToken } from '#modules/triggers/trigger-store.ts'
import { contextOf, hashOf } from '#modules/triggers/trigger-service.ts'
import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { Database } from '#platform/db/database.ts'
import { type RawAdmission, type RawHttpRequest } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { withLinkedSignal } from '#platform/linked-signal.ts'
import { findSameContent, insertDelivery, type NewDelivery } from './delivery-store.ts'
import { readContent } from './read-content.ts'
import { verifyRequest } from './verify.ts'

export interface ReceiveDeps {
  readonly database: Pick<Database, 'system'>
  readonly box: SecretBox
  readonly fire: Pick<Fire, 'start'>
  readonly engine: Pick<Engine, 'outcome'>
  readonly disclose: DiscloseOutput
  readonly now: () => number
  readonly newId: () => string
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
  readonly onError: (error: unknown) => void
}

type Webhook = Trigger & { readonly webhook: WebhookSettings }

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

/** Receives the requests to the URLs of webhooks. */
export function createReceiver(deps: ReceiveDeps) {
  async function record(webhook: Webhook, delivery: Omit<NewDelivery, 'id' | 'accountId' | 'triggerId' | 'at'>): Promise<void> {
    const { id: triggerId, accountId } = webhook
    const at = new Date(deps.now())
    try {
      await insertDelivery(deps.database.system, { id: deps.newId(), accountId, triggerId, at, ...delivery })
      const { executionId, reason, outcome } = delivery
      if (outcome === 'started') await recordResults(deps.database.system, at, [{ accountId, triggerId, executionId, error: undefined }])
      if (outcome === 'failed')
        await recordResults(deps.database.system, at, [{ accountId, triggerId, executionId: undefined, error: reason }])
    } catch (error) {
      // The start is durable, so the sender gets its response; only the list of deliveries lacks this one.
      deps.onError(error)
    }
  }

  /** Starts the workflow, unless a request with the same content did so shortly before. */
  async function start(
    webhook: Webhook,
    {
      cause,
      contentDigest,
      content,
    }: { readonly cause: string | undefined; readonly contentDigest: string | undefined; readonly content: JsonObject },
  ): Promise<{ readonly id: string; readonly replayed: boolean }> {
    if (contentDigest === undefined) return deps.fire.start(webhook, { cause, data: content })
    const windowMs = (webhook.webhook.sameContentSeconds ?? 0) * 1000
    const earlier = await findSameContent(deps.database.system, webhook, contentDigest, new Date(deps.now() - windowMs))
    if (earlier !== undefined) return { id: earlier, replayed: true }
    // Requests at the same time are not recorded yet: they share the key of the part of the time in which they came.
    return deps.fire.start(webhook, { cause: `content:${contentDigest}:${Math.floor(deps.now() / windowMs)}`, data: content })
  }

  async function receive(webhook: Webhook, request: RawHttpRequest): Promise<string> {
    const summary = {
      method: request.method,
      address: request.ip,
      bytes: request.body.length,
      contentType: shortOf(request.headers['content-type']),
    }
    let refused: 'refused' | 'failed' = 'refused'
    let deliveryId: string | undefined
    let cause: string | undefined
    let contentDigest: string | undefined
    let content: JsonObject | undefined
    try {
      assertAddress(webhook.webhook, request.ip)
      ;({ deliveryId, cause } = verify(deps, webhook, request))
      if (!webhook.enabled) throw new Fault('trigger_disabled', { detail: 'The webhook is disabled.' })
      content = contentOf(request, deliveryId, deps.now())
      const challenge = challengeOf(webhook.webhook, content)
      if (challenge !== undefined) return JSON.stringify({ challenge })
      refused = 'failed'
      if (cause === undefined && webhook.webhook.sameContentSeconds !== undefined) contentDigest = digestOf(request)
      const { id, replayed } = await start(webhook, { cause, contentDigest, content })
      const outcome = replayed ? 'duplicate' : 'started'
      const reason = replayed && contentDigest !== undefined ? 'A request with the same content came shortly before.' : undefined
      await record(webhook, { ...summary, outcome, status: 200, reason, deliveryId, contentDigest, content, executionId: id })
      return await replyOf(deps, webhook, { id, replayed }, request.disconnected)
    } catch (error) {
      if (!(error instanceof Fault) || error.code.startsWith('execution_')) throw error
      const { status } = errorCatalogue[error.code]
      await record(webhook, {
        ...summary,
        outcome: refused,
        status,
        reason: reasonOf(error),
        deliveryId,
        contentDigest,
        content: refused === 'failed' ? content : undefined,
        executionId: undefined,
      })
      throw error
    }
  }

  return {
    /** Undefined for an unknown token. */
    async admit(token: string): Promise<RawAdmission | undefined> {
      if (!/^[A-Za-z0-9_-]{43}$/.test(token)) return undefined
      const trigger = await findByToken(deps.database.system, hashOf(token))
      const settings = trigger?.webhook
      if (trigger === undefined || settings === undefined) return undefined
      const webhook = { ...trigger, webhook: settings }
      return {
        methods: settings.methods,
        rateLimit: { limit: settings.ratePerMinute, windowSeconds: 60 },
        subject: toTypeId('trg', trigger.id),
        async onRefused({ method, ip }, fault) {
          // Those over the limit would fill the list.
          if (fault.code === 'rate_limited') return
          const { status } = errorCatalogue[fault.code]
          const nothing = {
            bytes: 0,
            contentType: undefined,
            deliveryId: undefined,
            contentDigest: undefined,
            content: undefined,
            executionId: undefined,
          }
          await record(webhook, { ...nothing, method, address: ip, outcome: 'refused', status, reason: reasonOf(fault) })
        },
        handle: (request) => receive(webhook, request),
      }
    },
  }
}

function reasonOf(fault: Fault): string {
  const [part] = fault.details.errors ?? []
  return (part === undefined ? fault.message : `${fault.message} ${part.pointer}: ${part.detail}`).slice(0, 1_000)
}

function assertAddress({ addresses }: WebhookSettings, ip: string): void {
  if (addresses.length === 0) return
  const list = new BlockList()
  for (const entry of addresses) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  if (!list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4'))
    throw new Fault('forbidden', { detail: `This webhook takes no requests from ${ip}.` })
}

/** Checks the signature, and returns the id of the delivery and the name of the cause, if it has them: the same cause starts once. */
function verify(
  { box, now }: ReceiveDeps,
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
  const { signedKey } = verification
  if (signedKey !== undefined) return { deliveryId, cause: `signed:${signedKey}` }
  return { deliveryId, cause: deliveryId === undefined ? undefined : `delivery:${deliveryId}` }
}

/** What a sender repeats when it sends a request again: all but its headers, which may have a time. */
function digestOf({ method, query, body }: RawHttpRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([method, query]))
    .update(body)
    .digest('base64url')
}

function shortOf(header: string | readonly string[] | undefined): string | undefined {
  const value = typeof header === 'string' ? header : header?.[0]
  return value === undefined || value === '' ? undefined : value.slice(0, 255)
}

/** What the workflow gets of a request. */
function contentOf(request: RawHttpRequest, deliveryId: string | undefined, nowMs: number): JsonObject {
  const { method, headers, query, body } = request
  if (JSON.stringify(query).includes('\\u0000')) throw new Fault('malformed_request', { detail: 'The URL contains the character NUL.' })
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
    throw new Fault('unsupported_media_type', { detail: 'Send the body uncompressed, without Content-Encoding.' })
  const shown = Object.entries(headers).flatMap(([name, value]): (readonly [string, Json])[] =>
    value === undefined || hiddenHeaders.has(name) ? [] : [[name, typeof value === 'string' ? value : [...value]]],
  )
  return {
    method,
    headers: Object.fromEntries(shown),
    query: query,
    body: readContent(headers['content-type'], body),
    contentType: headers['content-type'] ?? null,
    deliveryId: deliveryId ?? null,
    receivedAt: new Date(nowMs).toISOString(),
  }
}

/** Slack checks a new URL by a challenge, which starts nothing. */
function challengeOf({ signature }: WebhookSettings, { body }: JsonObject): string | undefined {
  if (signature.scheme !== 'slack' || typeof body !== 'object' || body === null || !('challenge' in body)) return undefined
  return body['type'] === 'url_verification' && typeof body['challenge'] === 'string' ? body['challenge'] : undefined
}

const pollMs = 200

async function replyOf(
  { engine, disclose, now, closing }: ReceiveDeps,
  { accountId, workflowId, webhook }: Webhook,
  { id, replayed }: { readonly id: string; readonly replayed: boolean },
  disconnected: AbortSignal,
): Promise<string> {
  const accepted = { executionId: toTypeId('exec', id), duplicate: replayed }
  if (webhook.reply === 'accepted') return JSON.stringify(accepted)
  const until = now() + webhook.timeoutSeconds * 1000
  const snapshot = await withLinkedSignal(closing, disconnected, async (signal) => {
    let found = await engine.outcome(accountId, id, webhook.timeoutSeconds * 1000, signal)
    while (webhook.reply === 'end' && found !== undefined && !isTerminal(found.state) && now() < until && !signal.aborted) {
      await pause(pollMs, signal)
      found = await engine.outcome(accountId, id, 0, signal)
    }
    return found
  })
  if (snapshot === undefined) return JSON.stringify(accepted)
  return resultOf(await shownSnapshot(disclose, { accountId, workflowId }, snapshot), webhook.reply, accepted)
}

function resultOf(
  { state, reply, output, error }: ExecutionSnapshot,
  mode: 'end' | 'respond',
  accepted: { readonly executionId: string },
): string {
  const { executionId } = accepted
  if (mode === 'respond' && reply !== undefined) return JSON.stringify(reply.body)
  if (state === 'completed') return JSON.stringify(output ?? null)
  if (state === 'faulted')
    throw new Fault('execution_faulted', {
      detail: `The execution ${executionId} ended with an error: ${error?.title ?? 'unknown'}.`,
      extensions: { executionId },
    })
  if (state === 'cancelled')
    throw new Fault('execution_cancelled', { detail: `The execution ${executionId} was cancelled.`, extensions: { executionId } })
  return JSON.stringify({ ...accepted, state })
}
