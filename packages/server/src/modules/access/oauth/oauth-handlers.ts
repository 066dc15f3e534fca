import type { oauth } from '@millrace/contract'
import { type HandlersFor, withPreparation } from '#platform/http/index.ts'
import { isDocumentId } from './client-document.ts'
import type { OAuth } from './oauth-service.ts'

/** Handlers of the group `oauth`. */
export function oauthHandlers(service: OAuth): HandlersFor<typeof oauth> {
  return {
    async request(_ctx, { query }) {
      const { client, scopes } = await service.request(query)
      const clientHost = isDocumentId(client.id) ? new URL(client.id).host : null
      return { client: client.name, clientHost, redirectHost: new URL(query.redirect_uri).host, scopes: [...scopes] }
    },
    decide: withPreparation(
      (_ctx, { body }) => service.request(body),
      async (ctx, { body }, { client, scopes }) => {
        const redirectTo = await service.decide(ctx.tx, ctx.accountId, ctx, { ...body, client, scopes })
        ctx.audit({ target: client.id, details: { client: client.name, allowed: body.allow, scopes: [...scopes] } })
        return { redirectTo }
      },
    ),
  }
}
