import type { User } from '#modules/identity/model.ts'

/** `loginone` and `logintwo` belong to the installation, the others to an account. */
export const providerNames = ['loginone', 'logintwo', 'oidc', 'saml'] as const

export type ProviderName = (typeof providerNames)[number]

/** A client at a provider of OpenID Connect. */
export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  /** `undefined` for a public client. */
  readonly clientSecret: string | undefined
  readonly scopes: readonly string[]
}

/** A provider of the installation. */
export interface InstallationProvider extends OidcSettings {
  readonly name: string
}

/** What a provider says about a person, verified. */
export interface Claims {
  readonly issuer: string
  readonly subject: string
  /** Normalised; `undefined` also for an address that could be confused with another one. */
  readonly email: string | undefined
  /** `undefined` when the provider does not say. */
  readonly emailVerified: boolean | undefined
  readonly name: string | undefined
  /** Values of the claim that decides on the role. */
  readonly groups: readonly string[]
}

/** An external identity by which a user signs in. Ids are uuids. */
export interface Identity {
  readonly id: string
  readonly accountId: string
  readonly userId: string
  readonly provider: ProviderName
  readonly signInProviderId: string | undefined
  readonly issuer: string
  readonly subject: string
  readonly email: string | undefined
  readonly createdAt: Date
  readonly lastUsedAt: Date
}

/** The key of an identity: never the address. */
export type IdentityKey = Pick<Identity, 'provider' | 'signInProviderId' | 'issuer' | 'subject'>

/** A sign-in with a provider, from its start to the exchange of its code. */
export interface SignInAttempt {
  readonly id: string
  readonly provider: ProviderName
  readonly accountId: string | undefined
  readonly signInProviderId: string | undefined
  /** The user who links an identity; `undefined` for a sign-in. */
  readonly userId: string | undefined
  readonly returnTo: string
}

/** The sealed secrets of an attempt. */
export interface AttemptSecrets {
  /** Nonce and PKCE verifier, or the id of the SAML request and nothing. */
  readonly nonce: string
  readonly verifier: string
}

/** The address of a provider in the form of `users`; `undefined` for one that is not ASCII, since look-alikes of Unicode could name another person. */
export function addressOf(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > 254) return undefined
  const address = text.trim().toLowerCase()
  return /^[\x21-\x3F\x41-\x7E]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(address) &&
    text.trim().length === address.length &&
    !/[^\x21-\x7E]/.test(text.trim())
    ? address
    : undefined
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

/** A user who was found or created by an external sign-in. */
export interface Resolved {
  readonly user: User
  readonly isNew: boolean
}
