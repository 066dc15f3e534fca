import { type externalAuth, Fault, type Reply } from '@millrace/contract'
import { Readable } from 'node:stream'
import type { SignInProvider } from '#modules/identity/providers/model.ts'
import type { SignInResult } from '#modules/identity/completion/complete-sign-in.ts'
import { clientOf, deliveryOf, respondSignIn } from '#modules/identity/completion/respond-sign-in.ts'
import type { SessionCookie } from '#modules/identity/completion/session-cookie.ts'
import type { ProviderQuery } from './find-provider.ts'
import { type HandlersFor, type RequestContext, respond, respondPage, respondStream } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import { bindingOf, type BrowserCookie } from './browser-binding.ts'
import { continuePage } from './continue-page.ts'
import type { GivenCode } from './exchange-code.ts'
import type { ExternalSignIn, Returned, Start } from './external-sign-in.ts'
import type { IdentityService } from './identity-service.ts'
import { type Identity, providerNames } from './model.ts'
import { returnUrlOf, type ReturnToRules, withFragment } from './return-to.ts'
import { samlMetadata, type ServiceProvider } from './saml-client.ts'
import type { Client } from '#modules/identity/model.ts'

export interface ExternalHandlersDeps {
  /** The provider of an account. */
  readonly findProvider: (query: ProviderQuery) => Promise<SignInProvider>
  readonly signIn: ExternalSignIn
  readonly exchange: (given: GivenCode, client: Client) => Promise<SignInResult>
  readonly sessionCookie: SessionCookie
  readonly identities: IdentityService
  readonly cookie: BrowserCookie
  readonly returnTo: ReturnToRules
  readonly serviceProvider: ServiceProvider
  /** The display name of a provider. */
  readonly nameOf: (tx: RequestContext['tx'], identity: Identity) => Promise<string>
}

/** Handlers of the group `externalAuth`. */
export function externalAuthHandlers(deps: ExternalHandlersDeps): HandlersFor<typeof externalAuth> {
  const { signIn, identities, cookie, findProvider } = deps

  async function begin(ctx: RequestContext, given: Given, start: Pick<Start, 'provider' | 'link' | 'loginHint'>, where?: 'query') {
    const returnTo = returnUrlOf(given.returnTo, deps.returnTo, where)
    const bound = bindingOf(given.challenge, ctx.cookie(cookie.name))
    const { provider, authorizationUrl, expiresAt } = await signIn.begin({ ...start, returnTo, binding: bound.binding })
    const headers = bound.cookieValue === undefined ? {} : { 'set-cookie': cookie.header(bound.cookieValue) }
    if (ctx.wantsPage) return respondPage(continuePage(authorizationUrl, 'Continue to the sign-in'), { headers })
    return respond({ provider, authorizationUrl, expiresAt: expiresAt.toISOString() }, { headers })
  }

  const ofInstallation =
    (provider: 'loginone' | 'logintwo') =>
    async (ctx: RequestContext, { query }: { readonly query: Given }) =>
      begin(ctx, query, { provider, link: undefined, loginHint: undefined }, 'query')

  return {
    loginOne: ofInstallation('loginone'),
    loginTwo: ofInstallation('logintwo'),
    loginOneCallback: async (ctx, { body }) => returnView(ctx, await signIn.returned('loginone', body)),
    loginTwoCallback: async (ctx, { query }) => returnView(ctx, await signIn.returned('logintwo', query)),
    async oidcLogin(ctx, { query }) {
      const { email, account, protocol } = query
      const provider = await findProvider({
        email,
        accountId: account === undefined ? undefined : idOf('acct', account),
        protocol,
      })
      return begin(ctx, query, { provider, link: undefined, loginHint: email }, 'query')
    },
    oidcCallback: async (ctx, { query }) => returnView(ctx, await signIn.returned('oidc', query)),
    samlAcs: async (ctx, { body }) => returnView(ctx, await signIn.returnedBySaml(body)),
    async samlMetadata(_ctx, { query }) {
      const metadata = await samlMetadata(deps.serviceProvider)
      if (query.format === 'xml')
        return respondStream(Readable.from([metadata]), { headers: { 'content-type': 'application/samlmetadata+xml' } })
      return { ...deps.serviceProvider, metadata }
    },
    async exchange(ctx, { body }) {
      const given = { code: body.code, proof: body.verifier ?? ctx.cookie(cookie.name), delivery: deliveryOf(body) }
      return respondSignIn(ctx, await deps.exchange(given, clientOf(ctx)), deps.sessionCookie)
    },
    async identities(ctx, { query }) {
      const page = { before: decodeId(query.cursor), limit: query.limit + 1 }
      const found = await identities.list(ctx.tx, ctx.accountId, ctx.userId, page)
      const { data, nextCursor } = pageOf(found, query.limit, (last) => encodeCursor([last.id]))
      const views = await Promise.all(data.map(async (identity) => identityView(identity, await deps.nameOf(ctx.tx, identity))))
      return { data: views, nextCursor }
    },
    async linkIdentity(ctx, { body }) {
      const { provider } = body
      const { accountId, userId } = ctx
      await identities.assertMayLink(accountId, userId, provider)
      ctx.audit({ target: toTypeId('usr', userId), details: { provider } })
      const target = provider === 'oidc' || provider === 'saml' ? await findProvider({ accountId, protocol: provider }) : provider
      return begin(ctx, body, { provider: target, link: { accountId, userId }, loginHint: undefined })
    },
    async unlinkIdentity(ctx, { params }) {
      const provider = providerNames.find((name) => name === params.provider)
      if (provider === undefined) throw new Fault('not_found')
      await identities.unlink(ctx.tx, ctx.accountId, ctx.userId, provider)
      ctx.audit({ target: toTypeId('usr', ctx.userId), details: { provider } })
      return { provider, unlinked: true }
    },
  }
}

interface Given {
  readonly returnTo?: string | undefined
  readonly challenge?: string | undefined
}

/** The one-time code for a program; for a browser a page that continues, with the code or with the reason of a refusal. */
function returnView(ctx: RequestContext, { returnTo, result }: Returned) {
  if (result instanceof Fault) {
    if (!ctx.wantsPage) throw result
    const parameters = { error: result.code, error_description: result.message, request_id: ctx.requestId }
    return respondPage(continuePage(withFragment(returnTo, parameters), `${result.message} Continue`), { headers: {} })
  }
  const { code, expiresAt } = result
  if (ctx.wantsPage) return respondPage(continuePage(withFragment(returnTo, { code }), 'Continue'), { headers: {} })
  return { code, expiresAt: expiresAt.toISOString(), returnTo }
}

function identityView(identity: Identity, name: string): Reply<typeof externalAuth.identities>['data'][number] {
  const { provider, issuer, subject, email = null, createdAt, lastUsedAt } = identity
  return { provider, name, issuer, subject, email, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt.toISOString() }
}
