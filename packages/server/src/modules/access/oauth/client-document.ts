import * as z from 'zod'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { NetError } from '#platform/net/net-error.ts'
import { invalidClient } from './invalid-client.ts'
import { clientIdMax, clientNameMax, type OAuthClient, redirectUrisMax } from './oauth-client.ts'
import { isRedirectUri } from './redirect-uri.ts'

/** A client with the time for which its document need not be fetched again. */
export interface DescribedClient {
  readonly client: OAuthClient
  readonly freshMs: number
}

const bytesMax = 10 * 1024
const timeoutMs = 5_000
const freshMsDefault = 5 * 60_000
const freshMsMin = 60_000
const freshMsMax = 24 * 60 * 60_000

const oneLine = /^\P{Cc}+$/u

const ClientDocument = z
  .looseObject({
    client_id: z.string(),
    client_name: z.string().trim().min(1).max(clientNameMax).regex(oneLine, { error: 'Must be one line.' }),
    redirect_uris: z.array(z.string()).min(1).max(redirectUrisMax),
    token_endpoint_auth_method: z.literal('none', { error: 'Must be none, since clients of this server have no secret.' }).optional(),
    grant_types: z
      .array(z.string())
      .refine((types) => types.includes('authorization_code'), { error: 'Must have authorization_code.' })
      .optional(),
    response_types: z
      .array(z.string())
      .refine((types) => types.includes('code'), { error: 'Must have code.' })
      .optional(),
  })
  .refine((document) => !('client_secret' in document || 'client_secret_expires_at' in document), {
    error: 'A public document must not have a secret.',
  })

/** Whether the id of a client is the address of its document. A client that registered has a uuid. */
export function isDocumentId(id: string): boolean {
  return /^https?:/i.test(id)
}

/**
 * Fetches the document that describes a client, whose id is its address: https, as the URL parser writes it, with a path, without user and
 * fragment. Redirects are not followed. Source: draft-ietf-oauth-client-id-metadata-document-00, sections 3, 4 and 6.
 *
 * Fault `request_invalid` that says what is wrong.
 */
export async function fetchClientDocument(http: Pick<GuardedFetch, 'request'>, id: string, signal: AbortSignal): Promise<DescribedClient> {
  if (!isAddress(id))
    throw invalidClient(
      `Must be an https address in its normal form with a path, without user and fragment, at most ${clientIdMax} characters.`,
    )
  const request = {
    method: 'GET',
    url: id,
    headers: { accept: 'application/json' },
    followRedirects: false,
    timeoutMs,
    maxResponseBytes: bytesMax,
  }
  const reply = await http.request(request, signal).catch((error: unknown) => {
    if (!(error instanceof NetError)) throw error
    throw invalidClient(`The document of the client cannot be fetched: ${error.message}.`)
  })
  const { status, headers, body } = reply
  if (status !== 200) throw invalidClient(`The document of the client was answered with the status ${status} instead of 200.`)
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw invalidClient('The document of the client has no media type of JSON.')
  return { client: clientOf(id, body), freshMs: freshMsOf(headers['cache-control'] ?? '') }
}

function isAddress(id: string): boolean {
  const url = id.length > clientIdMax ? null : URL.parse(id)
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  // In its normal form it has no segments of dots, no fragment that is empty, and no second spelling by which it could be shown as another.
  return url.href === id && url.pathname !== '/' && !id.includes('#')
}

function clientOf(id: string, body: Uint8Array): OAuthClient {
  const parsed = ClientDocument.safeParse(jsonOf(body))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw invalidClient(`The document of the client is not valid: /${(issue?.path ?? []).join('/')}: ${issue?.message ?? ''}`)
  }
  const { client_id: said, client_name: name, redirect_uris: uris } = parsed.data
  if (said !== id) throw invalidClient('The document at this address describes another client: its client_id is not the address.')
  // Clients may also list addresses for other servers, such as those of schemes of their own.
  const redirectUris = uris.filter(isRedirectUri)
  if (redirectUris.length === 0)
    throw invalidClient('The document of the client has no address with https, or with http of the own computer, to return to.')
  return { id, name, redirectUris }
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw invalidClient('The document of the client is not JSON.')
  }
}

/**
 * As long as the document says. Bounded, so that a document with `max-age=0` is not fetched on every request, nor one with a huge age kept for
 * ever.
 */
function freshMsOf(cacheControl: string): number {
  const seconds = /(?:^|[\s,])max-age=(\d{1,10})(?:$|[\s,])/i.exec(cacheControl)?.[1]
  const said = /(?:^|[\s,])no-(?:store|cache)(?:$|[\s,])/i.test(cacheControl)
    ? 0
    : seconds === undefined
      ? freshMsDefault
      : Number(seconds) * 1000
  return Math.min(freshMsMax, Math.max(freshMsMin, said))
}
