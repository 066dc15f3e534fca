import { errorCatalogue, Fault } from '@millrace/contract'
import type { JsonObject } from '@millrace/engine'
import type { Fire } from '#modules/triggers/firing/fire.ts'
import { createFormServer } from '#modules/triggers/forms/serve-form.ts'
import { isOfSender, type ReadSubmission, startedAs } from '#modules/triggers/forms/submission.ts'
import { isOfTrigger } from '#modules/triggers/model.ts'
import { findByTokens } from '#modules/triggers/trigger-store.ts'
import { hashOf } from '#modules/triggers/trigger-service.ts'
import { createBatcher } from '#platform/batching/batcher.ts'
import { type RawAdmission, type RawHttpRequest } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { findSameContent } from './delivery-store.ts'
import { createEvaluationRoom } from './evaluation-room.ts'
import { type Ignored, ignore } from './ignore.ts'
import type { ReceiveDeps, Webhook } from './receive-deps.ts'
import {
  assertAddress,
  challengeOf,
  contentOf,
  digestOf,
  listens,
  type ReceivedRequest,
  reasonOf,
  summaryOf,
  verify,
} from './read-request.ts'
import { createDeliveryRecorder } from './record-deliveries.ts'
import { createTestReceiver } from './receive-test.ts'
import { replyOf } from './reply.ts'

type Accepted = { readonly id: string; readonly replayed: boolean } | { readonly challenge: string } | Ignored

/** A webhook that was read so recently is used as it is. */
const freshMs = 1_000

/** Receives the requests to the URLs of webhooks. */
export function createReceiver(deps: ReceiveDeps) {
  const record = createDeliveryRecorder(deps)
  const within = createEvaluationRoom(() => performance.now(), deps.closing)

  const passes = async (webhook: Webhook, content: JsonObject) =>
    webhook.filter === undefined || (await within(webhook.accountId, (signal) => deps.fire.passes(webhook, content, signal)))
  const startOnce: Fire['start'] = (webhook, firing) =>
    webhook.mapping === undefined
      ? deps.fire.start(webhook, firing)
      : within(webhook.accountId, (signal) => deps.fire.start(webhook, { ...firing, signal }))

  /** Starts the workflow, unless a request with the same content did so shortly before. */
  async function start(
    webhook: Webhook,
    {
      cause,
      contentDigest,
      content,
    }: { readonly cause: string | undefined; readonly contentDigest: string | undefined; readonly content: JsonObject },
  ): Promise<{ readonly id: string; readonly replayed: boolean }> {
    if (contentDigest === undefined) return startOnce(webhook, { cause, data: content })
    const windowMs = (webhook.webhook.sameContentSeconds ?? 0) * 1000
    const earlier = await findSameContent(deps.database.system, webhook, contentDigest, new Date(deps.now() - windowMs))
    if (earlier !== undefined) return { id: earlier, replayed: true }
    // Requests at the same time are not recorded yet: they share the key of the part of the time in which they came.
    return startOnce(webhook, { cause: `content:${contentDigest}:${Math.floor(deps.now() / windowMs)}`, data: content })
  }

  /** @param read reads what a form sent, in place of the body. */
  async function accept(webhook: Webhook, request: ReceivedRequest, read?: ReadSubmission): Promise<Accepted> {
    const summary = { ...summaryOf(request), test: false }
    let refused: 'refused' | 'failed' = 'refused'
    let deliveryId: string | undefined
    let cause: string | undefined
    let contentDigest: string | undefined
    let content: JsonObject | undefined
    let isReplayable = true
    try {
      assertAddress(webhook.webhook, request.ip)
      ;({ deliveryId, cause } = verify(deps, webhook, request))
      if (!webhook.enabled) throw new Fault('trigger_disabled', { detail: 'The webhook is disabled.' })
      content = contentOf(webhook.webhook, request, deliveryId, deps.now())
      const challenge = challengeOf(webhook.webhook, content)
      if (challenge !== undefined) return { challenge }
      const submission = await read?.(content['body'] ?? null)
      if (submission !== undefined) {
        content = { ...content, ...submission.content }
        ;({ deliveryId, cause, isReplayable } = submission)
      }
      refused = 'failed'
      if (!(await passes(webhook, content))) return await ignore(deps, record, webhook, { ...summary, deliveryId, content })
      if (cause === undefined && webhook.webhook.sameContentSeconds !== undefined) contentDigest = digestOf(request)
      const { id, replayed } = await start(webhook, { cause, contentDigest, content })
      const outcome = replayed ? 'duplicate' : 'started'
      const reason = replayed && contentDigest !== undefined ? 'A request with the same content came shortly before.' : undefined
      await record(webhook, { ...summary, outcome, status: 200, reason, deliveryId, contentDigest, content, executionId: id })
      return { id, replayed }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const { status } = errorCatalogue[error.code]
      if (isOfSender(webhook, error, content)) refused = 'refused'
      await record(webhook, {
        ...summary,
        outcome: refused,
        status,
        reason: reasonOf(error),
        deliveryId,
        // Distinguishes a failed request that is sent again from another one.
        contentDigest: contentDigest ?? (refused === 'failed' && deliveryId === undefined ? digestOf(request) : undefined),
        counts: isOfTrigger(error.code),
        // What a privacy policy refuses is not kept.
        content: refused === 'failed' && isReplayable && error.code !== 'personal_data_blocked' ? content : undefined,
        executionId: undefined,
      })
      throw error
    }
  }

  async function receive(webhook: Webhook, request: RawHttpRequest): Promise<string> {
    const accepted = await accept(webhook, request, forms.ofProgram(webhook, false))
    return 'id' in accepted ? replyOf(deps, webhook, accepted, request.disconnected) : JSON.stringify(accepted)
  }

  const acceptTest = createTestReceiver(deps, record)

  async function receiveTest(webhook: Webhook, request: RawHttpRequest): Promise<string> {
    const accepted = await acceptTest(webhook, request, forms.ofProgram(webhook, true))
    return 'id' in accepted ? replyOf(deps, webhook, accepted, request.disconnected) : JSON.stringify(accepted)
  }

  const forms = createFormServer(deps, { accept, acceptTest })
  const find = createBatcher({ load: (hashes: readonly Buffer[]) => findByTokens(deps.database.system, hashes), lanes: 2, keysMax: 100 })

  /** Undefined for an unknown token. */
  async function webhookOf(token: string): Promise<Webhook | undefined> {
    if (!/^[A-Za-z0-9_-]{43}$/.test(token)) return undefined
    const trigger = await find(hashOf(token))
    const settings = trigger?.webhook
    return trigger === undefined || settings === undefined ? undefined : startedAs({ ...trigger, webhook: settings })
  }

  async function admission(token: string, test: boolean): Promise<RawAdmission | undefined> {
    const webhook = await webhookOf(token)
    if (webhook === undefined) return undefined
    const { methods, ratePerMinute, form } = webhook.webhook
    const receiveRaw = test ? receiveTest : receive
    const admittedAt = deps.now()
    /** The webhook after its request has arrived, which may take minutes. Fault `not_found` if it was deleted meanwhile. */
    const current = async () => {
      const latest = deps.now() - admittedAt < freshMs ? webhook : await webhookOf(token)
      if (latest === undefined) throw new Fault('not_found', { detail: 'The webhook was deleted.' })
      return latest
    }
    return {
      methods: form === undefined ? methods : ['GET', 'HEAD', ...methods],
      rateLimit: { limit: ratePerMinute, windowSeconds: 60 },
      subject: test ? `${toTypeId('trg', webhook.id)}/test` : toTypeId('trg', webhook.id),
      ...(form === undefined ? {} : { visitorRate: forms.visitorRate, streamsForms: true }),
      async onRefused({ method, ip, headers }, fault) {
        const page = form === undefined ? undefined : forms.refused({ method, headers }, fault.code)
        // Those over a limit would fill the list.
        if (fault.code === 'rate_limited' || fault.code === 'payload_too_large') return page
        if (test && !listens(webhook, deps.now())) return undefined
        const { status } = errorCatalogue[fault.code]
        await record(webhook, { ...nothing, test, method, address: ip, outcome: 'refused', status, reason: reasonOf(fault) })
        return undefined
      },
      handle: async (request) => (await forms.serve(webhook, request, test, current)) ?? receiveRaw(await current(), request),
    }
  }

  return {
    /** Undefined for an unknown token. */
    admit: (token: string) => admission(token, false),
    /** Of test URLs. */
    admitTest: (token: string) => admission(token, true),
  }
}

/** What is recorded of a request whose body was not read. */
const nothing = {
  bytes: 0,
  contentType: undefined,
  deliveryId: undefined,
  contentDigest: undefined,
  content: undefined,
  executionId: undefined,
}
