import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { Provider } from 'oidc-provider'

export const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'

export interface TestProvider {
  /** The issuer; it has a path, as authorities have. */
  readonly authority: string
  /** A resource that wants a token of the provider. */
  readonly api: string
  /** Signs assertions of the client `by-key`. */
  readonly clientKey: KeyObject
  /** Parameters of every token that the provider has issued, oldest first. */
  readonly issued: readonly Readonly<Record<string, unknown>>[]
  /** Makes a token of the provider worthless, as its operator could. */
  revoke(token: string): Promise<void>
  close(): Promise<void>
}

/** Starts a real OAuth 2.0 and OpenID Connect server, with an API that takes its tokens. */
export async function startProvider(): Promise<TestProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  const origin = `http://127.0.0.1:${address.port}`
  const authority = `${origin}/realms/test`
  const provider = new Provider(authority, configuration(publicKey))
  const issued: Readonly<Record<string, unknown>>[] = []
  registerGrants(provider, issued)
  const serveProvider = provider.callback()

  server.on('request', (request, response) => {
    if (request.url === '/api') {
      const token = bearerOf(request)
      void provider.ClientCredentials.find(token).then((found) =>
        response
          .writeHead(found === undefined ? 401 : 200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ token, client: found?.clientId ?? null, scope: found?.scope ?? null })),
      )
      return
    }
    request.url = request.url?.replace(/^\/realms\/test/, '') ?? '/'
    serveProvider(request, response)
  })
  return {
    authority,
    api: `${origin}/api`,
    clientKey: privateKey,
    issued,
    revoke: async (token) => (await provider.ClientCredentials.find(token))?.destroy(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function bearerOf(request: IncomingMessage): string {
  return /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
}

export const secret = 'a secret with: spaces & signs, long enough for HS256'

function configuration(publicKey: KeyObject): object {
  const client = (id: string, method: string, more: object = {}): object => ({
    client_id: id,
    grant_types: ['client_credentials', 'password', tokenExchange],
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method: method,
    ...(method.startsWith('client_secret') ? { client_secret: secret } : {}),
    ...more,
  })
  return {
    clients: [
      client('by-basic', 'client_secret_basic'),
      client('by-post', 'client_secret_post'),
      client('by-jwt', 'client_secret_jwt', { token_endpoint_auth_signing_alg: 'HS256' }),
      client('by-key', 'private_key_jwt', {
        token_endpoint_auth_signing_alg: 'ES256',
        jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig' }] },
      }),
      client('public', 'none', { grant_types: ['password', tokenExchange] }),
    ],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'private_key_jwt', 'none'],
    scopes: ['openid', 'api', 'read'],
    routes: { token: '/oauth2/token' },
    ttl: { ClientCredentials: 600 },
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
  }
}

/** The grants that the provider leaves to its user, here for one person and one subject token. */
function registerGrants(provider: Provider, issued: Readonly<Record<string, unknown>>[]): void {
  provider.on('client_credentials.saved', (token) => issued.push({ ...Object(token) }))
  const issue = async (client: object, scope: string | undefined): Promise<object> => {
    const token = new provider.ClientCredentials({ client, scope })
    return { access_token: await token.save(), expires_in: 600, token_type: 'Bearer' }
  }
  provider.registerGrantType(
    'password',
    async (ctx) => {
      const { username, password, scope } = ctx.oidc.params ?? {}
      if (username === 'ann' && password === 'pass word&') ctx.body = await issue(ctx.oidc.client, scope)
      else Object.assign(ctx, { status: 400, body: { error: 'invalid_grant', error_description: `wrong password ${password}` } })
    },
    ['username', 'password', 'scope'],
  )
  provider.registerGrantType(
    tokenExchange,
    async (ctx) => {
      const { subject_token: subject, subject_token_type: type, actor_token: actor = '', audience, scope } = ctx.oidc.params ?? {}
      if (subject === 'subject-token' && type === 'urn:ietf:params:oauth:token-type:access_token') {
        ctx.body = await issue(ctx.oidc.client, [scope, actor, audience].flat().filter(Boolean).join(' '))
      } else Object.assign(ctx, { status: 400, body: { error: 'invalid_request' } })
    },
    ['subject_token', 'subject_token_type', 'actor_token', 'actor_token_type', 'audience', 'scope'],
    ['audience'],
  )
}
