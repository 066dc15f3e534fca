import { hasRole, type marketplace, type Received } from '@millrace/contract'
import { importWorkflow, losesName, type Workflows } from '#modules/workflows/index.ts'
import { actorOf } from '#platform/auth/principal.ts'
import { etag, type HandlersFor, type RequestContext, respond, withPreparation } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { BrowsedPage, Browsing } from './browse.ts'
import type { Marketplace } from './marketplace-service.ts'
import { detailsView, entryView, facetsView, meanOf, reportView } from './views.ts'

export interface MarketplaceHandlersDeps {
  readonly service: Marketplace
  readonly browsing: Browsing
  readonly workflows: Workflows
  readonly now: () => number
}

/** Handlers of the group `marketplace`. */
export function marketplaceHandlers({ service, browsing, workflows, now }: MarketplaceHandlersDeps): HandlersFor<typeof marketplace> {
  return {
    async list(_ctx, { query: { sort, limit, cursor, category, licence, tag } }) {
      return pageView(await browsing.list(sort, { limit, cursor, filter: { category, licence, tag } }))
    },
    async search(_ctx, { query: { q, limit, cursor, category, licence, tag } }) {
      const options = { limit, cursor, filter: { category, licence, tag } }
      return pageView(q === undefined ? await browsing.list('popular', options) : await browsing.search(q, options))
    },
    async get(_ctx, { params }) {
      return detailsView(await service.details(idOf('mkt', params.id)))
    },

    publish: withPreparation(
      (ctx, { params, body }) => service.prepare(ctx.accountId, idOf('wf', params.id), publishedText(body)),
      async (ctx, { params }, publication) => {
        const details = await service.publish(ctx.tx, whoOf(ctx), publication)
        const id = toTypeId('mkt', details.entry.id)
        ctx.audit({ target: id, details: { workflowId: params.id, version: details.entry.version, checksum: details.version.checksum } })
        return respond(detailsView(details), { headers: { location: `/api/v1/marketplace/${id}` } })
      },
    ),

    import: withPreparation(
      (ctx, { params, body: { name, publish, parameters } }, attempt) =>
        service.prepareImport(ctx.accountId, idOf('mkt', params.id), { name, publish, parameters, attempt }),
      async (ctx, { params }, prepared) => {
        const { id, revision, body } = await importWorkflow({ service: workflows, now }, { tx: ctx.tx, ...whoOf(ctx) }, prepared)
        await service.noteImport(ctx.tx, ctx.accountId, idOf('mkt', params.id))
        const target = toTypeId('wf', id)
        ctx.audit({ target, details: { entry: params.id, version: prepared.origin.version, checksum: prepared.origin.checksum } })
        return respond(body, { headers: { etag: etag(revision), location: `/api/v1/workflows/${target}` } })
      },
      losesName,
    ),

    async rate(ctx, { params, body: { stars } }) {
      const { sum, count } = await service.rate(ctx.tx, whoOf(ctx), idOf('mkt', params.id), stars)
      ctx.audit({ target: params.id, details: { stars } })
      return { id: params.id, stars, rating: meanOf(sum, count), ratings: count }
    },
    async report(ctx, { params, body: { reason, detail } }) {
      await service.report(ctx.tx, whoOf(ctx), idOf('mkt', params.id), { reason, detail })
      ctx.audit({ target: params.id, details: { reason } })
      return { id: params.id, reported: true as const }
    },
    async reports(_ctx, { query: { limit, cursor } }) {
      const found = await service.reports({ before: decodeId(cursor), limit: limit + 1 })
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      return { data: data.map(reportView), nextCursor }
    },
    async moderate(ctx, { params, body: { state, reason } }) {
      const id = idOf('mkt', params.id)
      const who = { accountId: ctx.accountId, isOperator: ctx.isOperator, isAdmin: hasRole(ctx.role, 'admin') }
      await service.moderate(who, id, { state, reason })
      ctx.audit({ target: params.id, details: { state, reason: reason ?? null } })
      return detailsView(await service.anyDetails(id))
    },

    async imports(ctx, { query: { limit, cursor } }) {
      const { origins, entries, notes } = await service.imports(ctx.tx, ctx.accountId, { before: decodeId(cursor), limit: limit + 1 })
      const { data, nextCursor } = pageOf(origins, limit, (last) => encodeCursor([last.workflowId]))
      const rows = data.map(({ workflowId, source, version, importedAt }) => {
        const entry = entries.get(source)
        const importedVersion = Number(version)
        return {
          workflowId: toTypeId('wf', workflowId),
          entryId: toTypeId('mkt', source),
          title: entry?.title ?? null,
          importedVersion,
          latestVersion: entry?.version ?? null,
          updateAvailable: entry !== undefined && entry.version > importedVersion,
          notes: entry === undefined ? null : (notes.get(source) ?? null),
          importedAt: importedAt.toISOString(),
        }
      })
      return { data: rows, nextCursor }
    },
  }
}

function whoOf(ctx: RequestContext) {
  return { accountId: ctx.accountId, actor: actorOf(ctx.principal) }
}

function publishedText(body: Received<typeof marketplace.publish>['body']) {
  const { version, title, readme, ...rest } = body
  return { ...rest, version, title, readme }
}

function pageView({ found, nextCursor, facets }: BrowsedPage) {
  return { data: found.map(({ entry }) => entryView(entry)), nextCursor, facets: facetsView(facets) }
}
