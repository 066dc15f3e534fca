import { createExpiringCache, type ExpiringCache } from './expiring-cache.ts'

export interface Token {
  readonly accessToken: string
  /** The refresh token of the authorization server. */
  readonly refreshToken: string | undefined
}

/** The parts of an OpenID provider's configuration document that are used. */
export interface ProviderMetadata {
  readonly issuer: string
  readonly tokenEndpoint: string
}

/** A digest challenge that was answered, and how often its nonce has been used. */
export interface DigestSession {
  readonly challenge: Readonly<Record<string, string>>
  uses: number
}

/** Credentials that outlive a call, in memory only: a lost one costs a request, a stored one would be a risk. */
export interface CredentialCache {
  readonly tokens: ExpiringCache<Token>
  readonly providers: ExpiringCache<ProviderMetadata>
  readonly digests: ExpiringCache<DigestSession>
}

export function createCredentialCache(clock: () => number): CredentialCache {
  return {
    tokens: createExpiringCache(clock, 10_000),
    providers: createExpiringCache(clock, 1_000),
    digests: createExpiringCache(clock, 10_000),
  }
}
