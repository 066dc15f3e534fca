/** The part of oidc-provider that the tests use; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  interface GrantContext {
    oidc: { params?: Record<string, string | undefined>; client: object; provider: Provider }
    body: unknown
  }

  interface TokenModel {
    new (properties: object): { save(): Promise<string>; scope?: string }
    find(token: string): Promise<{ clientId: string; scope?: string; destroy(): Promise<void> } | undefined>
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    readonly ClientCredentials: TokenModel
    callback(): RequestListener
    registerGrantType(
      name: string,
      handler: (ctx: GrantContext) => Promise<void>,
      parameters: readonly string[],
      duplicates?: readonly string[],
    ): void
    on(event: string, listener: (...args: unknown[]) => void): void
  }
}
