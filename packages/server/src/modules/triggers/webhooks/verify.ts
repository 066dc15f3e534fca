import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { SignatureSettings } from '#modules/triggers/model.ts'

/** The parts of a request that a sender signs. */
export interface SignedRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Verification =
  | { readonly ok: true; readonly deliveryId: string | undefined }
  /** The reason continues "The request …". */
  | { readonly ok: false; readonly reason: string }

interface Context extends SignedRequest {
  readonly settings: SignatureSettings
  readonly secret: string
  readonly nowMs: number
}

/** Checks that a request comes from the sender of a webhook, and is not an old one sent again. */
export function verifyRequest(
  settings: SignatureSettings,
  secret: string | undefined,
  request: SignedRequest,
  nowMs: number,
): Verification {
  if (settings.scheme === 'none') return { ok: true, deliveryId: undefined }
  if (secret === undefined) return refuse('cannot be checked, because the secret of the webhook cannot be opened')
  return schemes[settings.scheme]({ ...request, settings, secret, nowMs })
}

const schemes = { standard, github, stripe, slack, hmac, basic } as const satisfies Readonly<
  Record<Exclude<SignatureSettings['scheme'], 'none'>, (context: Context) => Verification>
>

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
function standard(context: Context): Verification {
  const id = header(context, 'webhook-id')
  const timestamp = header(context, 'webhook-timestamp')
  const signatures = header(context, 'webhook-signature')
  if (id === undefined || timestamp === undefined || signatures === undefined)
    return refuse('lacks webhook-id, webhook-timestamp or webhook-signature')
  const late = refuseLate(context, timestamp)
  if (late !== undefined) return late
  const key = Buffer.from(context.secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(context.body).digest()
  const matches = signatures.split(' ', signaturesMax).some((part) => part.startsWith('v1,') && isEqual(expected, part.slice(3), 'base64'))
  return matches ? { ok: true, deliveryId: id } : refuse('has a signature that does not match')
}

const signaturesMax = 10

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
function github(context: Context): Verification {
  const signature = header(context, 'x-hub-signature-256')
  if (signature === undefined) return refuse('lacks X-Hub-Signature-256')
  const expected = createHmac('sha256', context.secret).update(context.body).digest()
  if (!isEqual(expected, signature.replace(/^sha256=/, ''), 'hex')) return refuse('has a signature that does not match')
  // The body names no delivery: two events may have the same one, such as those of `repository_dispatch`.
  return { ok: true, deliveryId: header(context, 'x-github-delivery') ?? expected.toString('base64url') }
}

/** https://docs.stripe.com/webhooks#verify-manually */
function stripe(context: Context): Verification {
  const parts = (header(context, 'stripe-signature') ?? '').split(',', signaturesMax).map((part) => part.trim().split('=', 2))
  const timestamp = parts.find(([name]) => name === 't')?.[1]
  if (timestamp === undefined) return refuse('lacks Stripe-Signature')
  const late = refuseLate(context, timestamp)
  if (late !== undefined) return late
  const expected = createHmac('sha256', context.secret).update(`${timestamp}.`).update(context.body).digest()
  if (!parts.some(([name, value = '']) => name === 'v1' && isEqual(expected, value, 'hex')))
    return refuse('has a signature that does not match')
  return { ok: true, deliveryId: stripeEventId(context.body) }
}

/** The id of the event itself: events contain other ones. The server bounds the size of a body, and its sender is known here. */
function stripeEventId(body: Buffer): string | undefined {
  try {
    const event: unknown = JSON.parse(body.toString('utf8'))
    const { id }: { readonly id?: unknown } = Object(event)
    return typeof id === 'string' && /^evt_\w{1,200}$/.test(id) ? id : undefined
  } catch {
    return undefined
  }
}

/** https://api.slack.com/authentication/verifying-requests-from-slack */
function slack(context: Context): Verification {
  const timestamp = header(context, 'x-slack-request-timestamp')
  const signature = header(context, 'x-slack-signature')
  if (timestamp === undefined || signature === undefined) return refuse('lacks X-Slack-Request-Timestamp or X-Slack-Signature')
  const late = refuseLate(context, timestamp)
  if (late !== undefined) return late
  const expected = createHmac('sha256', context.secret).update(`v0:${timestamp}:`).update(context.body).digest()
  if (!isEqual(expected, signature.replace(/^v0=/, ''), 'hex')) return refuse('has a signature that does not match')
  // Slack signs a retry anew, so that only the id of the event is the same. Commands and interactions have none and are not retried.
  return { ok: true, deliveryId: slackEventIdOf(context.body) ?? createHash('sha256').update(signature).digest('base64url') }
}

/** https://docs.slack.dev/apis/events-api/#events-JSON */
function slackEventIdOf(body: Buffer): string | undefined {
  try {
    const content: unknown = JSON.parse(body.toString('utf8'))
    if (typeof content !== 'object' || content === null || !('event_id' in content)) return undefined
    return typeof content.event_id === 'string' && content.event_id !== '' ? content.event_id : undefined
  } catch {
    return undefined // A form.
  }
}

function hmac(context: Context): Verification {
  const { header: name = 'X-Signature', algorithm = 'sha256', encoding = 'hex' } = context.settings
  const signature = header(context, name.toLowerCase())
  if (signature === undefined) return refuse(`lacks ${name}`)
  const expected = createHmac(algorithm, context.secret).update(context.body).digest()
  const value = signature.replace(/^(?:sha1|sha256|sha512|v0|v1)=/, '')
  return isEqual(expected, value, encoding) ? { ok: true, deliveryId: undefined } : refuse('has a signature that does not match')
}

function basic(context: Context): Verification {
  const [scheme = '', credentials = ''] = (header(context, 'authorization') ?? '').split(' ', 2)
  if (scheme.toLowerCase() !== 'basic') return refuse('lacks Basic authentication')
  const expected = `${context.settings.username}:${context.secret}`
  const digest = (text: string | Buffer) => createHash('sha256').update(text).digest()
  const matches = timingSafeEqual(digest(expected), digest(Buffer.from(credentials, 'base64')))
  return matches ? { ok: true, deliveryId: undefined } : refuse('has a wrong user name or password')
}

function refuseLate({ settings, nowMs }: Context, timestamp: string): Verification | undefined {
  if (!/^\d{1,12}$/.test(timestamp)) return refuse('has a timestamp that is not a number of seconds')
  const ageSeconds = Math.abs(nowMs / 1000 - Number(timestamp))
  return ageSeconds > settings.toleranceSeconds
    ? refuse(`was signed more than ${settings.toleranceSeconds} seconds ago, or in the future`)
    : undefined
}

function header({ headers }: SignedRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' && value.length <= 1_000 ? value : undefined
}

function isEqual(expected: Buffer, text: string, encoding: 'hex' | 'base64'): boolean {
  const given = Buffer.from(text.trim(), encoding)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function refuse(reason: string): Verification {
  return { ok: false, reason }
}
