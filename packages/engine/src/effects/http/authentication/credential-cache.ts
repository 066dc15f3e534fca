import { createExpiringCache, type ExpiringCache } from './expiring-cache.ts'

export interface Token {
  readonly accessToken: string
  /** What the authorization server gave to renew the token with. */
  readonly refreshToken: string | undefined
}

/** What an OpenID provider says about itself, as far as it is used. */
export interface ProviderMetadata {
  readonly issuer: string
  readonly tokenEndpoint: string
}

/** A digest challenge that was answered, and how often its nonce has been used. */
export interface DigestSession {
  readonly challenge: Readonly<Record<string, string>>
  uses: number
}

/** What authentication keeps between calls, in memory only: losing it costs a request, keeping it elsewhere would cost secrecy. */
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
