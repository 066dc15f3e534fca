import type { connections, Received } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import { auditedMembers } from '#platform/audited-members.ts'
import { etag, type HandlersFor, respond, withPreparation } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Connections } from './connection-service.ts'
import type { Connection } from './model.ts'
import type { Authorizations } from './oauth/authorization-service.ts'
import { connectionView } from './views.ts'

/** Handlers of the group `connections`. Audit rows name connections and never have secrets. */
export function connectionHandlers(service: Connections, authorizations: Authorizations): HandlersFor<typeof connections> {
  return {
    async list(ctx, { query: { limit, cursor, kind, state } }) {
      const found = await service.list(ctx.tx, ctx.accountId, { limit: limit + 1, before: decodeId(cursor), kind, state })
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      return { data: data.map(connectionView), nextCursor }
    },
    create: withPreparation(
      (ctx, { body }) => service.prepareCreate(ctx.accountId, { ...body, expiresAt: dateOf(body.expiresAt) }),
      async (ctx, { body }, tested) => {
        const wanted = { ...body, expiresAt: dateOf(body.expiresAt) }
        const connection = await service.create(ctx.tx, ctx.accountId, wanted, tested, actorOf(ctx.principal))
        const id = toTypeId('conn', connection.id)
        ctx.audit({ target: id, details: detailsOf(connection) })
        return respond(connectionView(connection), {
          headers: { etag: etag(connection.revision), location: `/api/v1/connections/${id}` },
        })
      },
    ),
    async get(ctx, { params }) {
      return answer(await service.get(ctx.tx, ctx.accountId, idOf('conn', params.id)))
    },
    update: withPreparation(
      (ctx, { params, body }) => service.prepareUpdate(ctx.accountId, idOf('conn', params.id), changeOf(body)),
      async (ctx, { params, body }, tested) => {
        const update = { change: changeOf(body), tested, actor: actorOf(ctx.principal), ifMatch: ctx.ifMatch }
        const { before, after } = await service.update(ctx.tx, ctx.accountId, idOf('conn', params.id), update)
        const details = { ...detailsOf(after), secretsChanged: body.secrets !== undefined }
        ctx.audit({ target: params.id, details, change: { before: stateOf(before), after: stateOf(after) } })
        return answer(after)
      },
    ),
    async delete(ctx, { params }) {
      const { connection, pausedTriggers } = await service.remove(ctx.tx, ctx.accountId, idOf('conn', params.id), ctx.ifMatch)
      ctx.audit({ target: params.id, details: { ...detailsOf(connection), pausedTriggers } })
      return { id: params.id, deleted: true as const }
    },
    test: withPreparation(
      (ctx, { params }) => service.prepareTest(ctx.accountId, idOf('conn', params.id)),
      async (ctx, { params }, tested) => {
        const connection = await service.recordTest(ctx.tx, ctx.accountId, idOf('conn', params.id), tested)
        ctx.audit({ target: params.id, details: detailsOf(connection) })
        return connectionView(connection)
      },
    ),
    async authorize(ctx, { params }) {
      const { url, expiresAt } = await authorizations.begin(ctx.tx, ctx.accountId, idOf('conn', params.id), ctx.userId)
      ctx.audit({ target: params.id })
      return { authorizationUrl: url, redirectUri: authorizations.redirectUri, expiresAt: expiresAt.toISOString() }
    },
    async complete(ctx, { body }) {
      const connection = await authorizations.complete(ctx.accountId, ctx.userId, body)
      ctx.audit({ target: toTypeId('conn', connection.id), details: detailsOf(connection) })
      return connectionView(connection)
    },
  }
}

function answer(connection: Connection) {
  return respond(connectionView(connection), { headers: { etag: etag(connection.revision) } })
}

function detailsOf({ name, settings, state, revision }: Connection) {
  return { name, kind: settings.kind, state, revision }
}

/** What the audit log commits to. */
function stateOf({ name, description, settings, secretNames, expiresAt }: Connection) {
  return {
    name,
    description,
    ...auditedMembers('settings', settings),
    secretNames: secretNames.toSorted(),
    expiresAt: expiresAt?.toISOString() ?? null,
  }
}

function dateOf(text: string | null): Date | undefined {
  return text === null ? undefined : new Date(text)
}

type ChangeBody = Received<typeof connections.update>['body']

function changeOf(body: ChangeBody) {
  const { name, description, settings, secrets, expiresAt } = body
  return {
    name,
    description,
    settings,
    secrets,
    expiresAt: expiresAt === undefined || expiresAt === null ? expiresAt : new Date(expiresAt),
  }
}
