import type { oauth } from '@millrace/contract'
import type { HandlersFor } from '#platform/http/index.ts'
import type { OAuth } from './oauth-service.ts'

/** Handlers of the group `oauth`. */
export function oauthHandlers(service: OAuth): HandlersFor<typeof oauth> {
  return {
    async request(_ctx, { query }) {
      const { client, scopes } = await service.request(query)
      return { client: client.name, redirectHost: new URL(query.redirect_uri).host, scopes: [...scopes] }
    },
    async decide(ctx, { body }) {
      const { redirectTo, client, scopes } = await service.decide(ctx.tx, ctx.accountId, ctx, body)
      ctx.audit({ target: client.id, details: { client: client.name, allowed: body.allow, scopes: [...scopes] } })
      return { redirectTo }
    },
  }
}
