import { depthHeaders } from './depth.ts'
import type { GuardedFetch, OutgoingRequest } from './guarded-fetch.ts'
import { NetError } from './net-error.ts'
import { signatureHeaders } from './webhook-signature.ts'

export interface PostDeps {
  readonly http: Pick<GuardedFetch, 'request'>
  /** The body as it may leave the installation. Throws a NetError if nothing may; everything may unless given. */
  readonly admit?: (webhook: Pick<OutgoingWebhook, 'accountId' | 'url' | 'body'>) => Promise<string>
}

/** A message for a URL of an account. */
export interface OutgoingWebhook {
  /** The same in all attempts. */
  readonly id: string
  readonly accountId: string
  readonly url: string
  readonly contentType: string
  readonly body: string
  /** How many executions caused the message; none unless given. */
  readonly depth?: number | undefined
  /** Each signs the message after Standard Webhooks; without any it is not signed. */
  readonly secrets: readonly Uint8Array[]
}

/** The response of the URL, or why it gave no response. */
export type Posted =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly error?: undefined }
  | { readonly error: string; readonly status?: undefined }

export const postTimeoutMs = 15_000
const responseBytesMax = 1024 * 1024

/** Sends a message once. Throws only the reason of the signal. @param at time of the attempt, which is signed. */
export async function postWebhook({ http, admit }: PostDeps, webhook: OutgoingWebhook, at: Date, signal: AbortSignal): Promise<Posted> {
  try {
    const body = (await admit?.(webhook)) ?? webhook.body
    const { status, headers } = await http.request(requestOf(webhook, body, at), signal)
    return { status, headers }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof NetError)) throw error
    return { error: error.message }
  }
}

function requestOf({ id, url, contentType, depth, secrets }: OutgoingWebhook, body: string, at: Date): OutgoingRequest {
  const signed = { id, timestamp: Math.floor(at.getTime() / 1000), body }
  const headers = {
    'content-type': contentType,
    'user-agent': 'Millrace',
    ...depthHeaders(depth),
    ...(secrets.length === 0 ? {} : signatureHeaders(signed, secrets)),
  }
  return { method: 'POST', url, headers, body, followRedirects: false, timeoutMs: postTimeoutMs, maxResponseBytes: responseBytesMax }
}
