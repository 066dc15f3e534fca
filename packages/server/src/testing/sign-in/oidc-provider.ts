import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'
import { listenLocally } from '#testing/listen-locally.ts'
import type { Person } from './mock-provider.ts'

const clientSecret = 'a secret of enough length for every algorithm'

/**
 * A certified provider of OpenID Connect. It signs one person in and consents for them without asking. As the specification says, it puts the address into
 * the user information only, demands PKCE, and redeems a code once.
 */
export async function startOidcProvider(redirectUris: readonly string[]) {
  let respond: RequestListener = () => undefined
  const listening = await listenLocally(async (request, response) => respond(request, response))
  const issuer = listening.url
  const state: { person: Person } = { person: { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada' } }
  const provider = new Provider(issuer, {
    clients: [
      { client_id: 'millrace', client_secret: clientSecret, redirect_uris: redirectUris },
      { client_id: 'public', token_endpoint_auth_method: 'none', redirect_uris: redirectUris },
    ],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key of the tests'] },
    pkce: { required: () => true },
    jwks: { keys: [{ ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), use: 'sig' }] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    findAccount: (_ctx: unknown, accountId: string) => ({ accountId, claims: () => ({ ...state.person, sub: accountId }) }),
  })

  /** Finishes the two interactions of a sign-in at once: who it is, and the consent. */
  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response)
    const accountId = state.person.sub
    const grant = new provider.Grant({ accountId, clientId: String(params['client_id']) })
    grant.addOIDCScope(String(params['scope']))
    await provider.interactionFinished(request, response, { login: { accountId }, consent: { grantId: await grant.save() } })
  }

  const serve = provider.callback()
  respond = (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return serve(request, response)
    interact(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  }
  return {
    issuer,
    clientSecret,
    state,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

/** Signs in at the provider as a browser would, and returns the parameters of its response, by a redirect or a form. */
export async function signInAtProvider(authorizationUrl: string): Promise<Record<string, string>> {
  const { origin } = new URL(authorizationUrl)
  const cookies = new Map<string, string>()
  let url = authorizationUrl
  for (let steps = 0; steps < 10; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const text = await response.text()
    const location = response.headers.get('location')
    if (location === null) return fieldsOf(text, response.status)
    const next = new URL(location, url)
    if (next.origin !== origin) return Object.fromEntries(next.searchParams)
    url = next.href
  }
  throw new Error('the provider redirects without an end')
}

/** The hidden fields of a page with `response_mode=form_post`. */
function fieldsOf(page: string, status: number): Record<string, string> {
  const inputs = page.matchAll(/<input type="hidden" name="(?<name>[^"]*)" value="(?<value>[^"]*)"/g).map(({ groups }) => groups)
  const fields = Object.fromEntries(inputs.map((groups) => [groups?.['name'] ?? '', groups?.['value'] ?? '']))
  if (Object.keys(fields).length === 0) throw new Error(`the provider responded ${status} without a form: ${page.slice(0, 300)}`)
  return fields
}
