import type { Role } from '@millrace/contract'

/** How users are created and their role is determined at a sign-in with the provider of their account. */
export interface Provisioning {
  readonly provision: boolean
  readonly defaultRole: ProvisionedRole
  readonly roleClaim: string | undefined
  readonly roles: Readonly<Record<string, ProvisionedRole>>
}

/** A provider never makes an owner. */
export type ProvisionedRole = Exclude<Role, 'owner'>

interface SignInProviderBase extends Provisioning {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly issuer: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface OidcSignInProvider extends SignInProviderBase {
  readonly protocol: 'oidc'
  readonly clientId: string
  /** Sealed. */
  readonly clientSecret: Buffer | undefined
  readonly scopes: readonly string[]
}

export interface SamlSignInProvider extends SignInProviderBase {
  readonly protocol: 'saml'
  readonly signInUrl: string
  /** Base64 of DER. */
  readonly certificates: readonly string[]
  readonly emailAttribute: string | undefined
}

/** The sign-in provider of an account. Ids are uuids. */
export type SignInProvider = OidcSignInProvider | SamlSignInProvider

/** A domain of an account. */
export interface AccountDomain {
  readonly id: string
  readonly domain: string
  readonly token: string
  readonly verifiedAt: Date | undefined
  readonly createdAt: Date
}
