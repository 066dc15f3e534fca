import type { oauth2ClientAuthentications, oauth2Grants } from './choices.ts'

/** The name of a secret of `use.secrets` that holds the whole configuration of the scheme. */
export interface SecretReference {
  readonly use: string
}

export interface UsernamePassword {
  readonly username: string
  readonly password: string
}

export interface BearerToken {
  readonly token: string
}

/** A security token of somebody, for a token exchange. */
export interface OAuth2Token {
  readonly token: string
  readonly type: string
}

export type OAuth2Grant = (typeof oauth2Grants)[number]

export type OAuth2ClientAuthentication = (typeof oauth2ClientAuthentications)[number]

export interface OAuth2Client {
  readonly id?: string
  readonly secret?: string
  readonly assertion?: string
  readonly authentication?: OAuth2ClientAuthentication
}

export interface OAuth2TokenRequest {
  readonly encoding?: 'application/x-www-form-urlencoded' | 'application/json'
}

/** What OpenID Connect takes; the endpoints come from the authority's discovery document. */
export interface OidcProperties {
  readonly authority: string
  readonly grant: OAuth2Grant
  readonly client?: OAuth2Client
  readonly request?: OAuth2TokenRequest
  readonly issuers?: readonly string[]
  readonly scopes?: readonly string[]
  readonly audiences?: readonly string[]
  readonly username?: string
  readonly password?: string
  readonly subject?: OAuth2Token
  readonly actor?: OAuth2Token
}

/** Paths relative to the authority. */
export interface OAuth2Endpoints {
  readonly token?: string
  readonly revocation?: string
  readonly introspection?: string
}

export interface OAuth2Properties extends OidcProperties {
  readonly endpoints?: OAuth2Endpoints
}

export interface BasicAuthentication {
  readonly basic: UsernamePassword | SecretReference
}

export interface BearerAuthentication {
  readonly bearer: BearerToken | SecretReference
}

export interface DigestAuthentication {
  readonly digest: UsernamePassword | SecretReference
}

export interface OAuth2Authentication {
  readonly oauth2: OAuth2Properties | SecretReference
}

export interface OidcAuthentication {
  readonly oidc: OidcProperties | SecretReference
}

/** One scheme, decided by its only key (dsl-reference, Authentication). */
export type AuthenticationPolicy =
  | BasicAuthentication
  | BearerAuthentication
  | DigestAuthentication
  | OAuth2Authentication
  | OidcAuthentication

/** The name of a policy of `use.authentications`. */
export interface AuthenticationReference {
  readonly use: string
}

export type ReferenceableAuthentication = AuthenticationPolicy | AuthenticationReference
