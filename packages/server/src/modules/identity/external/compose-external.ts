import { Resolver } from 'node:dns/promises'
import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { createDomainService } from '#modules/identity/providers/domain-service.ts'
import { accountDomainHandlers, signInProviderHandlers } from '#modules/identity/providers/handlers.ts'
import { createProviderService } from '#modules/identity/providers/provider-service.ts'
import { findProvider } from '#modules/identity/providers/provider-store.ts'
import type { CompleteSignIn } from '#modules/identity/completion/complete-sign-in.ts'
import type { SessionCookie } from '#modules/identity/completion/session-cookie.ts'
import type { SessionService } from '#modules/identity/session-service.ts'
import type { Executor } from '#modules/identity/store.ts'
import { deleteExpiredSignIns } from './attempt-store.ts'
import { createBrowserCookie } from './browser-binding.ts'
import { exchangeCode, type ExchangeDeps } from './exchange-code.ts'
import { createExternalSignIn } from './external-sign-in.ts'
import { findProvider as findAccountProvider } from './find-provider.ts'
import { externalAuthHandlers } from './handlers.ts'
import { createIdentityService } from './identity-service.ts'
import type { Identity, InstallationProvider, ProviderName } from './model.ts'
import { createOidcClient } from './oidc-client.ts'

interface ExternalParts {
  /** The system pool. */
  readonly db: Executor
  readonly http: GuardedFetch
  readonly sessions: Pick<SessionService, 'prepare'>
  readonly completeSignIn: CompleteSignIn
  readonly gate: ExchangeDeps['gate']
  readonly mail: ExchangeDeps['mail']
  readonly reclaim: ExchangeDeps['reclaim']
  readonly seatOf: ExchangeDeps['seatOf']
  readonly sessionCookie: SessionCookie
  readonly installation: Partial<Readonly<Record<'loginone' | 'logintwo', InstallationProvider>>>
  /** The public address of this installation, without a trailing slash. */
  readonly origin: string
  /** Further origins to which a browser may return. */
  readonly returnOrigins: readonly string[]
  /** DNS servers for the verification of domains; those of the system if empty. */
  readonly dnsServers: readonly string[]
  /** Seal sign-ins in progress, and the client secrets of accounts. */
  readonly boxes: { readonly signIns: SecretBox; readonly providers: SecretBox }
  readonly now: () => Date
  readonly newId: () => string
  readonly randomBytes: (size: number) => Buffer
}

const resolveTimeoutMs = 3_000
const rowsMax = 1_000

/** Connects the parts of external sign-in. */
export function composeExternal(parts: ExternalParts) {
  const { db, installation, origin, now, newId, randomBytes } = parts
  const oidc = createOidcClient({ http: parts.http, now: () => now().getTime() })
  const providers = createProviderService({ oidc, box: parts.boxes.providers, now, newId })
  const serviceProvider = { entityId: `${origin}/api/v1/auth/saml/metadata`, acsUrl: `${origin}/api/v1/auth/saml/acs` }
  const redirectUriOf = (provider: Exclude<ProviderName, 'saml'>) => `${origin}/api/v1/auth/${provider}/callback`
  const signIn = createExternalSignIn({
    db,
    oidc,
    box: parts.boxes.signIns,
    clientSecretOf: providers.clientSecretOf,
    installation,
    serviceProvider,
    redirectUriOf,
    now,
    newId,
    randomBytes,
  })
  const domains = createDomainService({ db, resolveTxt: createTxtResolver(parts.dnsServers), now, newId, randomBytes })
  return {
    externalAuth: externalAuthHandlers({
      findProvider: (query) => findAccountProvider(db, query),
      signIn,
      exchange: (given, client) => exchangeCode({ ...parts, box: parts.boxes.signIns }, given, client),
      sessionCookie: parts.sessionCookie,
      identities: createIdentityService({ db }),
      cookie: createBrowserCookie(origin.startsWith('https:')),
      returnTo: { origin, origins: parts.returnOrigins },
      serviceProvider,
      nameOf: (executor, identity) => nameOf(executor, identity, installation),
    }),
    signInProviders: signInProviderHandlers({
      service: providers,
      callbackUrlOf: (protocol) => (protocol === 'saml' ? serviceProvider.acsUrl : redirectUriOf('oidc')),
    }),
    accountDomains: accountDomainHandlers(domains),
    sweep: () => deleteExpiredSignIns(db, now(), rowsMax),
  }
}

function createTxtResolver(servers: readonly string[]): (name: string) => Promise<readonly (readonly string[])[]> {
  const resolver = new Resolver({ timeout: resolveTimeoutMs, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return (name) => resolver.resolveTxt(name)
}

async function nameOf(
  db: Executor,
  { provider, accountId, signInProviderId, issuer }: Identity,
  installation: ExternalParts['installation'],
): Promise<string> {
  if (provider === 'loginone' || provider === 'logintwo') return installation[provider]?.name ?? issuer
  return (signInProviderId === undefined ? undefined : await findProvider(db, accountId, signInProviderId))?.name ?? issuer
}
