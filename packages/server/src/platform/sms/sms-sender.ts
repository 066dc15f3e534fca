import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'

/** One text message. */
export interface TextMessage {
  /** Equal for every attempt to send the same message. */
  readonly key: string
  /** E.164 */
  readonly to: string
  readonly text: string
}

/** Sends text messages by some provider. */
export interface SmsSender {
  /** Rejects with an SmsRefusal when repeating is useless, and with another error otherwise. */
  send(message: TextMessage, signal: AbortSignal): Promise<void>
}

/** A provider refused a message for good. */
export class SmsRefusal extends Error {
  override readonly name = 'SmsRefusal'
}

/** How the installation sends text messages. */
export interface SmsProvider {
  /** `json`: a JSON object by POST to the URL. `twilio`: the form of Twilio's interface, below the URL. */
  readonly format: 'json' | 'twilio'
  readonly url: string
  /** The account of the provider; for `twilio` its SID. */
  readonly user: string | undefined
  readonly token: string | undefined
  /** A number or a name of the sender. */
  readonly from: string | undefined
}

const timeoutMs = 10_000
const responseBytesMax = 64 * 1024

/** Sends by HTTP through the guarded fetch. */
export function createHttpSms(provider: SmsProvider, http: GuardedFetch): SmsSender {
  const requestOf = provider.format === 'twilio' ? twilioRequest : jsonRequest
  return {
    async send(message, signal) {
      const request = requestOf(provider, message)
      const limits = { method: 'POST', followRedirects: false, timeoutMs, maxResponseBytes: responseBytesMax }
      const { status } = await http.request({ ...request, ...limits }, signal)
      if (status >= 200 && status < 300) return
      // 401 and 403 are faults of the configuration, which an operator may correct in time.
      const temporary = status >= 500 || status === 401 || status === 403 || status === 408 || status === 429
      if (temporary) throw new Error(`the provider of text messages replied with status ${status}`)
      throw new SmsRefusal(`the provider replied with status ${status}`)
    },
  }
}

function jsonRequest({ url, user, token, from }: SmsProvider, { key, to, text }: TextMessage) {
  return {
    url,
    headers: { 'content-type': 'application/json', 'idempotency-key': key, ...authorizationOf(user, token) },
    body: JSON.stringify({ to, text, ...(from === undefined ? {} : { from }) }),
  }
}

function twilioRequest({ url, user = '', token, from = '' }: SmsProvider, { to, text }: TextMessage) {
  const sender = /^MG[0-9a-f]{32}$/i.test(from) ? { MessagingServiceSid: from } : { From: from }
  return {
    url: `${url.replace(/\/+$/, '')}/2010-04-01/Accounts/${encodeURIComponent(user)}/Messages.json`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...authorizationOf(user, token) },
    body: new URLSearchParams({ To: to, Body: text, ...sender }).toString(),
  }
}

function authorizationOf(user: string | undefined, token: string | undefined): Readonly<Record<string, string>> {
  if (token === undefined) return {}
  if (user === undefined) return { authorization: `Bearer ${token}` }
  return { authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}` }
}
