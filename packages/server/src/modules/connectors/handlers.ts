import { type connectors, type connectorSubmissions, Fault } from '@millrace/contract'
import * as z from 'zod'
import { actorOf } from '#platform/auth/principal.ts'
import { etag, type HandlersFor, respond, withPreparation } from '#platform/http/index.ts'
import { fromTypeId, idOf, toTypeId } from '#platform/ids.ts'
import { decodeCursor, decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { ConnectorCatalogue } from './catalogue-service.ts'
import { checkDocument } from './check-document.ts'
import type { OpenApiValidation } from './openapi-validation.ts'
import type { Submissions } from './submission-service.ts'
import { connectorView, submissionView } from './views.ts'

/** Handlers of the group `connectorSubmissions`. */
export function submissionHandlers(
  service: Submissions,
  catalogue: Pick<ConnectorCatalogue, 'names'>,
  validate: OpenApiValidation,
): HandlersFor<typeof connectorSubmissions> {
  return {
    async list(ctx, { query: { limit, cursor, state } }) {
      const page = { state, before: decodeId(cursor), limit: limit + 1 }
      const found = ctx.isOperator ? await service.listAll(page) : await service.list(ctx.tx, ctx.accountId, page)
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      return { data: data.map((submission) => submissionView(submission, ctx.accountId)), nextCursor }
    },

    create: withPreparation(
      async (ctx, { body: { name, kind, summary, licence, homepage, document } }) => {
        if (catalogue.names.has(name))
          throw new Fault('connector_invalid', { errors: [{ pointer: '/name', detail: `${name} is a function of the installation.` }] })
        const proposal = { name, kind, summary, licence, homepage, document }
        return { proposal, checked: await checkDocument(proposal, (given) => validate(ctx.accountId, given)) }
      },
      async (ctx, _input, prepared) => {
        const submission = await service.create(ctx.tx, ctx.accountId, prepared, actorOf(ctx.principal))
        const { name, checksum } = submission
        ctx.audit({ target: toTypeId('csub', submission.id), details: { name, checksum } })
        return respond(submissionView(submission, ctx.accountId), { headers: { etag: etag(submission.revision) } })
      },
    ),

    async decide(ctx, { params, body: { state, reason } }) {
      const who = { accountId: ctx.accountId, isOperator: ctx.isOperator, actor: actorOf(ctx.principal), ifMatch: ctx.ifMatch }
      const submission = await service.decide(who, idOf('csub', params.id), { state, reason })
      ctx.audit({ target: params.id, details: { state, reason: reason ?? null, checksum: submission.checksum } })
      return respond(submissionView(submission, ctx.accountId), { headers: { etag: etag(submission.revision) } })
    },
  }
}

const position = z.union([z.tuple([z.literal('function'), z.string().max(100)]), z.tuple([z.literal('submission'), z.uuid()])])

/** Handlers of the group `connectors`. */
export function connectorHandlers(catalogue: ConnectorCatalogue): HandlersFor<typeof connectors> {
  return {
    async list(_ctx, { query: { limit, cursor, q } }) {
      const [kind, key] = cursor === undefined ? [] : decodeCursor(cursor, position)
      const after = kind === undefined || key === undefined ? undefined : { kind, key }
      const found = await catalogue.list({ text: q, after, limit: limit + 1 })
      const { data, nextCursor } = pageOf(found, limit, (last) =>
        encodeCursor('manifest' in last ? ['function', last.manifest.name] : ['submission', last.submission.id]),
      )
      return { data: data.map(connectorView), nextCursor }
    },
    async get(_ctx, { params: { id } }) {
      const submissionId = fromTypeId('csub', id)
      const found = submissionId === undefined ? catalogue.function(id) : await catalogue.approved(submissionId)
      if (found === undefined) throw new Fault('not_found', { detail: 'There is no such connector.' })
      return connectorView(found)
    },
  }
}
