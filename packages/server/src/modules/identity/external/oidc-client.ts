import { createHash } from 'node:crypto'
import { Fault } from '@millrace/contract'
import type { Configuration } from 'openid-client'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { NetError } from '#platform/net/net-error.ts'
import { addressOf, type AttemptSecrets, type Claims, type OidcSettings } from './model.ts'
import { createProviderFetch } from './provider-fetch.ts'

/** The checks of one sign-in. */
export interface OidcCheck extends AttemptSecrets {
  readonly state: string
  /** Exactly as registered at the provider. */
  readonly redirectUri: string
}

/** Signs in with providers of OpenID Connect: authorization code, PKCE, state, nonce, issuer (RFC 9207), signature of the ID token. */
export interface OidcClient {
  /** Reads the configuration of the provider; a Fault `sign_in_provider_unavailable` with the reason when it cannot be used. */
  discover(settings: OidcSettings): Promise<void>
  authorizationUrl(settings: OidcSettings, check: OidcCheck, options: AuthorizationOptions): Promise<string>
  /** Redeems the response of the provider, whose parameters are given. */
  claims(
    settings: OidcSettings,
    check: OidcCheck,
    response: Readonly<Record<string, string | undefined>>,
    roleClaim?: string,
  ): Promise<Claims>
}

export interface AuthorizationOptions {
  /** The provider responds by a form. */
  readonly formPost: boolean
  readonly loginHint: string | undefined
}

export interface OidcClientDeps {
  readonly http: GuardedFetch
  readonly now: () => number
}

const cachedMs = 60 * 60 * 1000
const cachedMax = 500

export function createOidcClient({ http, now }: OidcClientDeps): OidcClient {
  const providerFetch = createProviderFetch(http)
  const cache = new Map<string, { readonly configuration: Promise<Configuration>; readonly until: number }>()

  /** The configuration of a provider. A failure is not cached. */
  function configurationOf(settings: OidcSettings): Promise<Configuration> {
    const key = keyOf(settings)
    const cached = cache.get(key)
    if (cached !== undefined && cached.until > now()) return cached.configuration
    const configuration = discover(settings, providerFetch)
    cache.delete(key)
    cache.set(key, { configuration, until: now() + cachedMs })
    for (const oldest of cache.keys()) if (cache.size > cachedMax) cache.delete(oldest)
    configuration.catch(() => cache.delete(key))
    return configuration
  }

  return {
    async discover(settings) {
      cache.delete(keyOf(settings))
      await configurationOf(settings)
    },
    async authorizationUrl(settings, { state, nonce, verifier, redirectUri }, { formPost, loginHint }) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
      const url = buildAuthorizationUrl(await configurationOf(settings), {
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: scopesOf(settings).join(' '),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(formPost ? { response_mode: 'form_post' } : {}),
        ...(loginHint === undefined ? {} : { login_hint: loginHint }),
      })
      if (!isTrustworthy(url)) throw unavailable('The provider announces an authorization endpoint without https.')
      return url.href
    },
    async claims(settings, { state, nonce, verifier, redirectUri }, response, roleClaim) {
      const configuration = await configurationOf(settings)
      const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
      const url = new URL(redirectUri)
      for (const [name, value] of Object.entries(response)) if (value !== undefined) url.searchParams.set(name, value)
      try {
        const tokens = await authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const token = tokens.claims()
        if (token === undefined) throw failed('The provider returned no ID token.')
        // Some providers put the address into the user information only.
        const endpoint = configuration.serverMetadata().userinfo_endpoint
        const more =
          token.email === undefined && endpoint !== undefined ? await fetchUserInfo(configuration, tokens.access_token, token.sub) : {}
        return claimsOf({ ...more, ...token }, roleClaim)
      } catch (error) {
        throw faultOf(error)
      }
    },
  }
}

async function discover(settings: OidcSettings, providerFetch: ReturnType<typeof createProviderFetch>): Promise<Configuration> {
  const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await import('openid-client')
  const issuer = URL.parse(settings.issuer)
  if (issuer === null || !isTrustworthy(issuer)) throw unavailable('The issuer must be a URL with https.')
  try {
    return await discovery(issuer, settings.clientId, undefined, await clientAuthOf(settings), {
      [customFetch]: providerFetch,
      timeout: 10,
      execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
    })
  } catch (error) {
    throw unavailable(`The configuration of the provider ${settings.issuer} cannot be read: ${reasonOf(error)}.`, error)
  }
}

/** The way in which the provider wants the secret: in the body if it announces that, otherwise by HTTP Basic. */
async function clientAuthOf({ clientSecret }: OidcSettings) {
  const { ClientSecretBasic, ClientSecretPost, None } = await import('openid-client')
  if (clientSecret === undefined) return None()
  const [post, basic] = [ClientSecretPost(clientSecret), ClientSecretBasic(clientSecret)]
  const auth: typeof post = (server, client, body, headers) => {
    const inBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true
    return (inBody ? post : basic)(server, client, body, headers)
  }
  return auth
}

function claimsOf(
  token: Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string },
  roleClaim: string | undefined,
): Claims {
  const { iss, sub, email, email_verified: verified, name } = token
  const groups = roleClaim === undefined ? [] : [token[roleClaim] ?? []].flat()
  return {
    issuer: iss,
    subject: sub,
    email: addressOf(email),
    // Some providers send a text.
    emailVerified: verified === undefined ? undefined : verified === true || verified === 'true',
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 200) : undefined,
    groups: groups.filter((group) => typeof group === 'string').slice(0, 1000),
  }
}

function scopesOf({ scopes }: OidcSettings): readonly string[] {
  return scopes.includes('openid') ? scopes : ['openid', ...scopes]
}

/** https, or http on this machine, for development. */
function isTrustworthy(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname))
}

function keyOf({ issuer, clientId, clientSecret }: OidcSettings): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, clientId, clientSecret]))
    .digest('base64url')
}

function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error
  if (netErrorIn(error) !== undefined) return unavailable(`The provider cannot be reached: ${reasonOf(error)}.`, error)
  return failed(`The provider refused the sign-in, or its response was not valid: ${reasonOf(error)}.`, error)
}

/** A short reason without secrets: the error code of OAuth, the code of the failed check, or the reason of the network. */
function reasonOf(error: unknown): string {
  const net = netErrorIn(error)
  if (net !== undefined) return net.reason === 'denied' ? 'its address is not permitted' : net.message
  if (!(error instanceof Error)) return 'unknown'
  const named = Reflect.get(error, 'error') ?? Reflect.get(error, 'code')
  return typeof named === 'string' && /^[\w.-]{1,100}$/.test(named) ? named : 'invalid_response'
}

function netErrorIn(error: unknown): NetError | undefined {
  if (error instanceof NetError) return error
  return error instanceof Error && error.cause !== undefined ? netErrorIn(error.cause) : undefined
}

function unavailable(detail: string, cause?: unknown): Fault {
  return new Fault('sign_in_provider_unavailable', { detail, cause })
}

function failed(detail: string, cause?: unknown): Fault {
  return new Fault('external_sign_in_failed', { detail, cause })
}
