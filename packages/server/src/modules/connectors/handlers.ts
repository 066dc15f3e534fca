import { type connectors, type connectorSubmissions, Fault, type functions, type Received } from '@millrace/contract'
import * as z from 'zod'
import { actorOf } from '#platform/auth/principal.ts'
import { etag, type HandlersFor, respond, withPreparation } from '#platform/http/index.ts'
import { fromTypeId, idOf, toTypeId } from '#platform/ids.ts'
import { decodeCursor, decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { AccountConnectors, NewConnector } from './account/account-connector-service.ts'
import type { ConnectorCatalogue } from './catalogue-service.ts'
import type { DocumentWork } from './documents/document-work.ts'
import type { Functions } from './functions/function-service.ts'
import type { Connector } from './model.ts'
import type { Submissions } from './submission-service.ts'
import { connectorView, ownConnectorView, submissionView } from './views.ts'

/** Handlers of the group `connectorSubmissions`. */
export function submissionHandlers(
  service: Submissions,
  catalogue: Pick<ConnectorCatalogue, 'names'>,
  documents: Pick<DocumentWork, 'check'>,
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
        return { proposal, checked: await documents.check(ctx.accountId, proposal) }
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
      ctx.audit({ target: params.id, details: { name: submission.name, state, reason: reason ?? null, checksum: submission.checksum } })
      return respond(submissionView(submission, ctx.accountId), { headers: { etag: etag(submission.revision) } })
    },
  }
}

const position = z.union([
  z.tuple([z.literal('account'), z.uuid()]),
  z.tuple([z.literal('function'), z.string().max(100)]),
  z.tuple([z.literal('submission'), z.uuid()]),
])

/** Handlers of the group `connectors`. */
export function connectorHandlers(catalogue: ConnectorCatalogue, service: AccountConnectors): HandlersFor<typeof connectors> {
  return {
    async list(ctx, { query: { limit, cursor, q } }) {
      const [kind, key] = cursor === undefined ? [] : decodeCursor(cursor, position)
      const after = kind === undefined || key === undefined ? undefined : { kind, key }
      const found = await catalogue.list(ctx.accountId, { text: q, after, limit: limit + 1 })
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor(positionOf(last)))
      return { data: data.map(connectorView), nextCursor }
    },
    async get(ctx, { params: { id } }) {
      const [submissionId, ownId] = [fromTypeId('csub', id), fromTypeId('ctor', id)]
      if (ownId !== undefined) return connectorView(await catalogue.own(ctx.accountId, ownId))
      const found = submissionId === undefined ? catalogue.ofInstallation(id) : await catalogue.approved(submissionId)
      if (found === undefined) throw new Fault('not_found', { detail: 'There is no such connector.' })
      return connectorView(found)
    },
    create: withPreparation(
      (ctx, { body }) => service.prepareCreate(ctx.accountId, sourceOf(body)),
      async (ctx, { body }, source) => {
        const own = await service.create(ctx.tx, ctx.accountId, sourceOf(body), source, actorOf(ctx.principal))
        ctx.audit({ target: toTypeId('ctor', own.id), details: { name: own.name, kind: own.kind, functions: own.functions.length } })
        return ownConnectorView(own)
      },
    ),
    replace: withPreparation(
      (ctx, { params, body: { document, url, connection } }) =>
        service.prepareReplace(ctx.accountId, idOf('ctor', params.id), { document, url, connection }),
      async (ctx, { params }, source) => {
        const own = await service.replace(ctx.tx, ctx.accountId, idOf('ctor', params.id), source)
        ctx.audit({ target: params.id, details: { name: own.name, revision: own.revision, functions: own.functions.length } })
        return ownConnectorView(own)
      },
    ),
    async delete(ctx, { params }) {
      const { name } = await service.remove(ctx.tx, ctx.accountId, idOf('ctor', params.id))
      ctx.audit({ target: params.id, details: { name } })
      return { id: params.id, deleted: true as const }
    },
  }
}

function positionOf(last: Connector): readonly [string, string] {
  if ('manifest' in last) return ['function', last.manifest.name]
  if ('builtIn' in last) return ['function', last.builtIn.name]
  return 'own' in last ? ['account', last.own.id] : ['submission', last.submission.id]
}

function sourceOf({ name, kind, document, url, connection }: Received<typeof connectors.create>['body']): NewConnector {
  return { name, kind, document, url, connection }
}

/** Handlers of the group `functions`. */
export function functionHandlers(service: Functions): HandlersFor<typeof functions> {
  return {
    async list(ctx, { query: { limit, cursor, q, connector } }) {
      const after = cursor === undefined ? undefined : decodeCursor(cursor, z.tuple([z.string().max(200)]))[0]
      const found = await service.list(ctx.accountId, { text: q, connector, after, limit: limit + 1 })
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.name]))
      return { data: [...data], nextCursor }
    },
    get: (ctx, { params: { name } }) => service.get(ctx.accountId, name),
  }
}
