import * as z from 'zod'
import { NetError } from '#platform/net/net-error.ts'
import type { Http } from '#modules/connections/authorised-port.ts'
import type { Tokens } from '#modules/connections/connection-secrets.ts'
import { jsonOf } from '#modules/connections/json-of.ts'
import type { ConnectionSecrets, SettingsOf } from '#modules/connections/model.ts'

/** What is exchanged for tokens. */
export type Grant =
  | { readonly grant_type: 'client_credentials' }
  | { readonly grant_type: 'refresh_token'; readonly refresh_token: string }
  | { readonly grant_type: 'authorization_code'; readonly code: string; readonly redirect_uri: string; readonly code_verifier: string }

/** Why there are no tokens; `isRevoked` if only a person can change that. */
export interface TokenRefusal {
  readonly problem: string
  readonly isRevoked: boolean
}

const timeoutMs = 10_000

/** Services write what they do not give also as null or as an empty text. */
const given = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === null || value === '' ? undefined : value), schema.optional())

const Reply = z.object({
  access_token: z.string().min(1).max(16_384),
  refresh_token: given(z.string().max(16_384)),
  expires_in: given(z.coerce.number().nonnegative()),
})
const Refusal = z.object({ error: z.string().max(200), error_description: z.string().max(1_000).optional() })

/** Asks a token endpoint for tokens. Source: RFC 6749, sections 4.1.3, 4.4.2 and 6; RFC 7636. */
export async function requestToken(
  http: Http,
  { settings, secrets }: { readonly settings: SettingsOf<'oauth2'>; readonly secrets: ConnectionSecrets },
  grant: Grant,
  nowMs: number,
): Promise<Tokens | TokenRefusal> {
  const { tokenUrl, clientId, clientAuthentication, scopes } = settings
  const clientSecret = secrets['clientSecret'] ?? ''
  const isBasic = clientAuthentication === 'basic'
  const form = new URLSearchParams({
    ...grant,
    ...(scopes.length > 0 && grant.grant_type === 'client_credentials' ? { scope: scopes.join(' ') } : {}),
    ...(isBasic ? {} : { client_id: clientId }),
    ...(clientAuthentication === 'post' ? { client_secret: clientSecret } : {}),
  })
  const credentials = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')
  const request = {
    method: 'POST',
    url: tokenUrl,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...(isBasic ? { authorization: `Basic ${credentials}` } : {}),
    },
    body: form.toString(),
    followRedirects: false,
    timeoutMs,
    maxResponseBytes: 256 * 1024,
  }
  try {
    return readReply(await http.request(request, AbortSignal.timeout(timeoutMs + 1_000)), nowMs)
  } catch (error) {
    if (!(error instanceof NetError)) throw error
    return { problem: `The token endpoint cannot be used: ${error.message}.`, isRevoked: false }
  }
}

function readReply({ status, body }: { readonly status: number; readonly body: Uint8Array }, nowMs: number): Tokens | TokenRefusal {
  const json = jsonOf(body)
  const tokens = Reply.safeParse(json)
  if (status === 200 && tokens.success) {
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = tokens.data
    return { accessToken, refreshToken, expiresAtMs: seconds === undefined ? undefined : nowMs + seconds * 1_000 }
  }
  const refusal = Refusal.safeParse(json)
  if (!refusal.success) return { problem: `The token endpoint answered ${status} without tokens.`, isRevoked: false }
  const { error, error_description: description } = refusal.data
  const why = description === undefined ? error : `${error} (${description})`
  return { problem: `The token endpoint refused: ${why}.`, isRevoked: error === 'invalid_grant' }
}
