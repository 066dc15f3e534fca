import { type MutableToken, OAuth2Server } from 'oauth2-mock-server'

/** A person at a provider of the tests, as claims of the ID token. */
export type Person = Readonly<Record<string, unknown>> & { readonly sub: string }

/** A provider of OpenID Connect that signs one person in without asking, and can be made to misbehave. */
export async function startMockProvider() {
  const server = new OAuth2Server()
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
  const url = `http://127.0.0.1:${server.address().port}`
  server.issuer.url = url
  const state: { person: Person; change: ((token: MutableToken) => void) | undefined } = {
    person: { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada' },
    change: undefined,
  }
  server.service.on('beforeTokenSigning', (token: MutableToken) => {
    if (!('nonce' in token.payload)) return
    Object.assign(token.payload, state.person)
    state.change?.(token)
  })
  return { issuer: url, server, state, [Symbol.asyncDispose]: () => server.stop() }
}

/** Follows an authorization URL to the redirect URI, as a browser would, and returns the parameters of the response. */
export async function followAuthorization(authorizationUrl: string): Promise<Record<string, string>> {
  const response = await fetch(authorizationUrl, { redirect: 'manual' })
  const location = response.headers.get('location')
  if (location === null) throw new Error(`the provider responded ${response.status} and redirects nowhere`)
  return Object.fromEntries(new URL(location).searchParams)
}
