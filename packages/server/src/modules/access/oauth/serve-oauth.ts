import * as z from 'zod'
import { type Endpoint, servedEndpoints } from '#platform/http/served-endpoints.ts'
import type { ServedGroup } from '#platform/http/index.ts'
import { clientNameMax } from './oauth-client.ts'
import { OAuthError } from './oauth-error.ts'
import { accessTokenSeconds, type OAuth, oauthScopes, type Tokens } from './oauth-service.ts'

const bodyBytesMax = 16 * 1024
const cacheSeconds = 300

const Registration = z.object({
  redirect_uris: z.array(z.string()),
  client_name: z.string().trim().min(1).max(clientNameMax).catch('An MCP client'),
  token_endpoint_auth_method: z.string().optional(),
})

/**
 * The endpoints of OAuth that are no operations, since its RFCs define their forms: metadata (RFC 9728, RFC 8414), registration (RFC 7591),
 * tokens, and revocation (RFC 7009).
 *
 * @param publicUrl address of the installation; that of the request unless configured.
 */
export function servedOAuth(service: OAuth, publicUrl: string | undefined): ServedGroup {
  const metadata = (url: string, of: (origin: string) => object): Endpoint => ({
    method: 'GET',
    url,
    respond: ({ origin }) => ({
      status: 200,
      // What a caller says about the address of the installation is for that caller alone.
      headers: {
        'cache-control': publicUrl === undefined ? 'no-store' : `public, max-age=${cacheSeconds}`,
        'access-control-allow-origin': '*',
      },
      body: of(publicUrl === undefined ? origin : new URL(publicUrl).origin),
    }),
  })
  const post = (url: string, work: (body: string) => Promise<Reply>): Endpoint => ({
    method: 'POST',
    url,
    respond: async ({ body }) => ({ headers: { 'cache-control': 'no-store' }, ...(await work(body).catch(refusal)) }),
  })
  const endpoints = [
    metadata('/.well-known/oauth-protected-resource', resourceMetadata),
    metadata('/.well-known/oauth-protected-resource/mcp', resourceMetadata),
    metadata('/.well-known/oauth-authorization-server', serverMetadata),
    post('/oauth/register', (text) => register(service, text)),
    post('/oauth/token', async (text) => ({ status: 200, body: tokensView(await tokensFor(service, new URLSearchParams(text))) })),
    post('/oauth/revoke', async (text) => {
      const form = new URLSearchParams(text)
      await service.revoke({ token: required(form, 'token'), clientId: required(form, 'client_id') })
      return { status: 200, body: {} }
    }),
  ]
  return servedEndpoints(endpoints, bodyBytesMax)
}

interface Reply {
  readonly status: number
  readonly body: object
}

async function register(service: OAuth, text: string): Promise<Reply> {
  const { redirect_uris: uris, client_name: name, token_endpoint_auth_method: method } = registrationOf(text)
  if (method !== undefined && method !== 'none')
    throw new OAuthError('invalid_client_metadata', 'Clients are public: token_endpoint_auth_method must be none.')
  const { id } = await service.register(name, uris)
  const grants = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] }
  return { status: 201, body: { client_id: id, client_name: name, redirect_uris: uris, token_endpoint_auth_method: 'none', ...grants } }
}

const resourceMetadata = (origin: string) => ({
  resource: `${origin}/mcp`,
  authorization_servers: [origin],
  scopes_supported: oauthScopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Millrace',
})

const serverMetadata = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: `${origin}/oauth/token`,
  registration_endpoint: `${origin}/oauth/register`,
  revocation_endpoint: `${origin}/oauth/revoke`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  scopes_supported: oauthScopes,
  client_id_metadata_document_supported: true,
})

async function tokensFor(service: OAuth, form: URLSearchParams): Promise<Tokens> {
  const clientId = required(form, 'client_id')
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return service.exchange({
        code: required(form, 'code'),
        clientId,
        redirectUri: required(form, 'redirect_uri'),
        verifier: required(form, 'code_verifier'),
        resource: form.get('resource') ?? undefined,
      })
    case 'refresh_token':
      return service.refresh({ token: required(form, 'refresh_token'), clientId })
    default:
      throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
  }
}

function tokensView({ accessToken, refreshToken, scopes }: Tokens) {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }
}

function required(form: URLSearchParams, name: string): string {
  const [value, ...more] = form.getAll(name)
  if (value === undefined || value === '' || more.length > 0 || value.length > 4000)
    throw new OAuthError('invalid_request', `${name} must be given once.`)
  return value
}

function registrationOf(text: string): z.infer<typeof Registration> {
  try {
    return Registration.parse(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      throw new OAuthError('invalid_client_metadata', 'The metadata must be a JSON object with redirect_uris.')
    throw error
  }
}

function refusal(error: unknown): Reply {
  if (!(error instanceof OAuthError)) throw error
  const status = error.code === 'temporarily_unavailable' ? 503 : error.code === 'invalid_client' ? 401 : 400
  return { status, body: { error: error.code, error_description: error.message } }
}
