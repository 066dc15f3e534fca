/** The part of oidc-provider that the tests use; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  interface GrantContext {
    oidc: { params?: Record<string, string | undefined>; client: object; provider: Provider }
    body: unknown
  }

  interface TokenModel {
    new (properties: object): { save(): Promise<string>; scope?: string }
    find(token: string): Promise<{ clientId: string; scope?: string; destroy(): Promise<void> } | undefined>
  }

  interface Interaction {
    readonly params: Readonly<Record<string, unknown>>
  }

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    readonly ClientCredentials: TokenModel
    readonly Grant: new (properties: {
      accountId: string
      clientId: string
    }) => Grant
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
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
