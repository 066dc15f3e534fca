import { Fault, type templates } from '@millrace/contract'
import * as z from 'zod'
import { importWorkflow, losesName, type Workflows } from '#modules/workflows/index.ts'
import { actorOf } from '#platform/auth/principal.ts'
import { etag, type HandlersFor, respond, withPreparation } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { decodeCursor, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Templates } from './catalogue.ts'
import { findTemplates } from './find-templates.ts'
import { detailsView, summaryView } from './views.ts'

export interface TemplateHandlersDeps {
  readonly catalogue: Templates
  readonly service: Workflows
  readonly now: () => number
}

const position = z.tuple([z.string().max(200)])

/** Handlers of the group `templates`. */
export function templateHandlers({ catalogue, service, now }: TemplateHandlersDeps): HandlersFor<typeof templates> {
  return {
    async list(_ctx, { query: { limit, cursor, category, tag, q } }) {
      const after = cursor === undefined ? undefined : decodeCursor(cursor, position)[0]
      const { found, categories } = findTemplates(await catalogue.list(), { category, tag, text: q })
      const rest = after === undefined ? found : found.filter(({ id }) => id > after)
      const { data, nextCursor } = pageOf(rest.slice(0, limit + 1), limit, (last) => encodeCursor([last.id]))
      return { data: data.map(summaryView), nextCursor, categories }
    },

    async get(_ctx, { params }) {
      const template = await catalogue.find(params.id)
      if (template === undefined) throw new Fault('not_found', { detail: 'There is no such template.' })
      return detailsView(template)
    },

    import: withPreparation(
      async (ctx, { params, body: { name, publish, parameters } }, attempt) => {
        const naming = service.naming(ctx.accountId, attempt)
        const { given, origin } = await service.fromTemplate(params.id, { name, publish, parameters }, naming)
        return { given, origin, definition: await service.prepareCreate(ctx.accountId, given) }
      },
      async (ctx, { params }, prepared) => {
        const owner = { tx: ctx.tx, accountId: ctx.accountId, actor: actorOf(ctx.principal) }
        const { id, revision, body } = await importWorkflow({ service, now }, owner, prepared)
        const target = toTypeId('wf', id)
        ctx.audit({ target, details: { template: params.id } })
        return respond(body, { headers: { etag: etag(revision), location: `/api/v1/workflows/${target}` } })
      },
      losesName,
    ),
  }
}
