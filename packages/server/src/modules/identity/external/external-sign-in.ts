import { createHash } from 'node:crypto'
import { Fault } from '@millrace/contract'
import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { SamlSignInProvider, SignInProvider } from '#modules/identity/providers/model.ts'
import { findProvider } from '#modules/identity/providers/provider-store.ts'
import type { Executor } from '#modules/identity/store.ts'
import { acceptAssertion, insertAttempt, saveClaims, spendState } from './attempt-store.ts'
import type { AttemptSecrets, Claims, InstallationProvider, OidcSettings, ProviderName, SignInAttempt } from './model.ts'
import type { OidcClient } from './oidc-client.ts'
import { checkSamlResponse, samlSignInUrl, type ServiceProvider } from './saml-client.ts'

export interface ExternalSignInDeps {
  /** The system pool: a person who signs in has no account yet. */
  readonly db: Executor
  readonly oidc: OidcClient
  readonly box: SecretBox
  /** Opens the client secrets of accounts. */
  readonly clientSecretOf: (provider: SignInProvider) => string | undefined
  readonly installation: Partial<Readonly<Record<'loginone' | 'logintwo', InstallationProvider>>>
  readonly serviceProvider: ServiceProvider
  /** The redirect URI of a provider of OpenID Connect. */
  readonly redirectUriOf: (provider: Exclude<ProviderName, 'saml'>) => string
  readonly now: () => Date
  readonly newId: () => string
  readonly randomBytes: (size: number) => Buffer
}

export interface Start {
  /** A provider of the installation, or that of an account. */
  readonly provider: 'loginone' | 'logintwo' | SignInProvider
  /** The user who links an identity, with the account; `undefined` for a sign-in. */
  readonly link: { readonly accountId: string; readonly userId: string } | undefined
  readonly binding: Buffer
  readonly returnTo: string
  readonly loginHint: string | undefined
}

export interface Started {
  readonly provider: ProviderName
  readonly authorizationUrl: string
  readonly expiresAt: Date
}

/** What the provider sent the browser back with. */
export interface Returned {
  readonly returnTo: string
  /** The one-time code, or why the sign-in failed. */
  readonly result: { readonly code: string; readonly expiresAt: Date } | Fault
}

export interface ExternalSignIn {
  begin(start: Start): Promise<Started>
  /** Takes the response of a provider of OpenID Connect; a Fault when no sign-in that this browser could continue has the state. */
  returned(provider: Exclude<ProviderName, 'saml'>, response: AuthorizationResponse): Promise<Returned>
  returnedBySaml(response: { readonly SAMLResponse: string; readonly RelayState: string }): Promise<Returned>
}

interface AuthorizationResponse {
  readonly state: string
  readonly code?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
  readonly error_description?: string | undefined
}

const attemptMs = 10 * 60 * 1000
const codeMs = 60 * 1000

export function createExternalSignIn(deps: ExternalSignInDeps): ExternalSignIn {
  const { db, oidc, box, now, randomBytes } = deps
  const token = () => randomBytes(32).toString('base64url')

  async function spend(provider: ProviderName, state: string) {
    const spent = await spendState(db, provider, digest(state), now())
    if (spent === undefined)
      throw new Fault('external_sign_in_failed', {
        detail: 'The sign-in is unknown, has expired, or was continued already. Begin it again.',
      })
    const secrets: AttemptSecrets = JSON.parse(openSealed(box, spent.secrets, `secrets ${spent.attempt.id}`))
    return { attempt: spent.attempt, secrets }
  }

  /** Keeps the claims under a one-time code, or reports the Fault to the browser. */
  async function conclude(attempt: SignInAttempt, check: () => Promise<Claims>): Promise<Returned> {
    const { id, returnTo } = attempt
    try {
      const claims = box.seal(Buffer.from(JSON.stringify(await check())), `claims ${id}`)
      const code = token()
      const expiresAt = new Date(now().getTime() + codeMs)
      await saveClaims(db, id, { codeHash: digest(code), claims, expiresAt })
      return { returnTo, result: { code, expiresAt } }
    } catch (error) {
      if (error instanceof Fault) return { returnTo, result: error }
      throw error
    }
  }

  return {
    async begin(start) {
      const id = deps.newId()
      const [state, nonce, verifier] = [token(), token(), token()]
      const { provider, link } = start
      const name = typeof provider === 'string' ? provider : provider.protocol
      const secrets: AttemptSecrets = { nonce: name === 'saml' ? `_${randomBytes(20).toString('hex')}` : nonce, verifier }
      const authorizationUrl = await authorizationUrlOf(deps, start, { ...secrets, state })
      const expiresAt = new Date(now().getTime() + attemptMs)
      await insertAttempt(db, {
        id,
        provider: name,
        accountId: link?.accountId ?? (typeof provider === 'string' ? undefined : provider.accountId),
        signInProviderId: typeof provider === 'string' ? undefined : provider.id,
        userId: link?.userId,
        returnTo: start.returnTo,
        stateHash: digest(state),
        binding: start.binding,
        secrets: box.seal(Buffer.from(JSON.stringify(secrets)), `secrets ${id}`),
        expiresAt,
      })
      return { provider: name, authorizationUrl, expiresAt }
    },

    async returned(provider, response) {
      const { attempt, secrets } = await spend(provider, response.state)
      return conclude(attempt, async () => {
        const { settings, roleClaim } = await settingsOf(deps, attempt)
        const check = { ...secrets, state: response.state, redirectUri: deps.redirectUriOf(provider) }
        const { state, code, iss, error } = response
        return oidc.claims(settings, check, { state, code, iss, error }, roleClaim)
      })
    },

    async returnedBySaml({ SAMLResponse, RelayState }) {
      const { attempt, secrets } = await spend('saml', RelayState)
      return conclude(attempt, async () => {
        const provider = await samlProviderOf(deps, attempt)
        const check = { response: SAMLResponse, requestId: secrets.nonce, now: now() }
        const accepted = await checkSamlResponse(provider, deps.serviceProvider, check).catch((error: unknown) => {
          throw refusedBySaml(error)
        })
        if (!(await acceptAssertion(db, provider.id, accepted.hash, accepted.expiresAt)))
          throw new Fault('external_sign_in_failed', { detail: 'The assertion was accepted before.' })
        return accepted.claims
      })
    },
  }
}

async function authorizationUrlOf(
  deps: ExternalSignInDeps,
  { provider, loginHint }: Start,
  secrets: AttemptSecrets & { readonly state: string },
): Promise<string> {
  const { oidc, serviceProvider, redirectUriOf } = deps
  if (provider === 'loginone' || provider === 'logintwo') {
    const check = { ...secrets, redirectUri: redirectUriOf(provider) }
    return oidc.authorizationUrl(installationProvider(deps, provider), check, { formPost: provider === 'loginone', loginHint })
  }
  if (provider.protocol === 'saml') return samlSignInUrl(provider, serviceProvider, { requestId: secrets.nonce, relayState: secrets.state })
  const check = { ...secrets, redirectUri: redirectUriOf('oidc') }
  return oidc.authorizationUrl(oidcSettings(deps, provider), check, { formPost: false, loginHint })
}

async function settingsOf(
  deps: ExternalSignInDeps,
  attempt: SignInAttempt,
): Promise<{ readonly settings: OidcSettings; readonly roleClaim?: string }> {
  if (attempt.provider === 'loginone' || attempt.provider === 'logintwo') return { settings: installationProvider(deps, attempt.provider) }
  const provider = await providerOf(deps, attempt)
  const { roleClaim } = provider
  return { settings: oidcSettings(deps, provider), ...(roleClaim === undefined ? {} : { roleClaim }) }
}

function installationProvider({ installation }: ExternalSignInDeps, name: 'loginone' | 'logintwo'): InstallationProvider {
  const provider = installation[name]
  if (provider !== undefined) return provider
  const variable = name === 'loginone' ? 'MILLRACE_LOGIN_ONE_ISSUER' : 'MILLRACE_LOGIN_TWO_ISSUER'
  throw new Fault('sign_in_provider_unavailable', { detail: `The provider is not configured: the operator has to set ${variable}.` })
}

function oidcSettings(deps: ExternalSignInDeps, provider: SignInProvider): OidcSettings {
  if (provider.protocol !== 'oidc') throw new Error('a provider of SAML has no settings of OpenID Connect')
  const { issuer, clientId, scopes } = provider
  return { issuer, clientId, scopes, clientSecret: deps.clientSecretOf(provider) }
}

async function providerOf({ db }: ExternalSignInDeps, { accountId, signInProviderId }: SignInAttempt): Promise<SignInProvider> {
  const found = accountId === undefined || signInProviderId === undefined ? undefined : await findProvider(db, accountId, signInProviderId)
  if (found === undefined) throw new Fault('external_sign_in_failed', { detail: 'The provider was removed meanwhile.' })
  return found
}

async function samlProviderOf(deps: ExternalSignInDeps, attempt: SignInAttempt): Promise<SamlSignInProvider> {
  const provider = await providerOf(deps, attempt)
  if (provider.protocol !== 'saml') throw new Error('an attempt of SAML names another provider')
  return provider
}

/** The messages of the checks contain no secrets, and an administrator needs them to correct the provider. */
function refusedBySaml(error: unknown): Fault {
  const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
  return new Fault('external_sign_in_failed', { detail: `The response of the provider was refused: ${reason}.`, cause: error })
}

export function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Opens what this module sealed: JSON, which the tag proves to be its own. */
export function openSealed(box: SecretBox, sealed: Uint8Array, context: string): string {
  const plain = box.open(sealed, context)
  if (plain === undefined)
    throw new Fault('external_sign_in_failed', { detail: 'The secret key of the installation has changed. Begin the sign-in again.' })
  return plain.toString('utf8')
}
