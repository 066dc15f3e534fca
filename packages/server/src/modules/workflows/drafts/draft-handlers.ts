import type { workflowDrafts } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import { etag, type HandlersFor, respond, withPreparation } from '#platform/http/index.ts'
import { idOf } from '#platform/ids.ts'
import { diagnosticView } from '#modules/workflows/definition.ts'
import type { PublishRequests } from '#modules/workflows/publishing/publish-requests.ts'
import type { Workflows } from '#modules/workflows/service.ts'

/** Handlers of the drafts that an editor saves and asks to publish, and of the list of versions. */
export function workflowDraftHandlers(service: Workflows, requests: PublishRequests): HandlersFor<typeof workflowDrafts> {
  return {
    save: withPreparation(
      (ctx, { params, body }) => service.prepareDraft(ctx.accountId, idOf('wf', params.id), body),
      async (ctx, { params }, prepared) => {
        const options = { actor: actorOf(ctx.principal), ifMatch: ctx.ifMatch }
        const { revision } = await service.saveDraft(ctx.tx, ctx.accountId, idOf('wf', params.id), prepared, options)
        const reply = { revision, valid: prepared.read !== undefined, diagnostics: prepared.diagnostics.map(diagnosticView) }
        return respond(reply, { headers: { etag: etag(revision) } })
      },
    ),

    restore: withPreparation(
      async (ctx, { params: { id }, body: { version } }) => {
        const workflowId = idOf('wf', id)
        const { definition } = await service.get(ctx.accountId, workflowId, version, 'yaml')
        return service.prepareDraft(ctx.accountId, workflowId, { text: definition.source, syntax: definition.syntax })
      },
      async (ctx, { params, body }, prepared) => {
        const options = { actor: actorOf(ctx.principal), ifMatch: ctx.ifMatch }
        const { revision } = await service.saveDraft(ctx.tx, ctx.accountId, idOf('wf', params.id), prepared, options)
        ctx.audit({ target: params.id, details: { version: body.version, revision } })
        return respond({ revision }, { headers: { etag: etag(revision) } })
      },
    ),

    async askToPublish(ctx, { params, body }) {
      const given = { actor: actorOf(ctx.principal), note: body?.note === '' ? undefined : body?.note }
      const request = await requests.ask(ctx.tx, ctx.accountId, idOf('wf', params.id), given)
      ctx.audit({ target: params.id })
      return request
    },

    publishRequests: async (ctx) => ({ data: await requests.list(ctx.tx, ctx.accountId) }),

    async declinePublishRequest(ctx, { params, body }) {
      const given = { actor: actorOf(ctx.principal), note: body?.note === '' ? undefined : body?.note }
      await requests.decline(ctx.tx, ctx.accountId, idOf('wf', params.id), given)
      ctx.audit({ target: params.id })
      return { workflowId: params.id, declined: true as const }
    },

    async versions(ctx, { params, query }) {
      const page = await service.versions(ctx.tx, ctx.accountId, idOf('wf', params.id), { limit: query.limit, cursor: query.cursor })
      const data = page.data.map(({ number, documentVersion, note, restores, publishedAt, publishedBy }) => ({
        number,
        documentVersion,
        note: note ?? null,
        restores: restores ?? null,
        publishedAt: publishedAt.toISOString(),
        publishedBy,
      }))
      return { data, nextCursor: page.nextCursor }
    },
  }
}
