import type { audit } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import { nameBefore } from '#platform/db/name-source.ts'
import { type HandlersFor, respond } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import { destinationNames } from './destination-store.ts'
import type { AuditDestination } from './destination.ts'
import type { Destinations } from './destination-service.ts'

type Names = 'destinations' | 'createDestination' | 'testDestination' | 'resumeDestination' | 'deleteDestination'

/** Handlers of the destinations of the audit log. */
export function destinationHandlers(service: Destinations): Pick<HandlersFor<typeof audit>, Names> {
  return {
    async destinations(ctx, { query }) {
      const found = await service.list(ctx.tx, ctx.accountId, { before: decodeId(query.cursor), limit: query.limit + 1 })
      const { data, nextCursor } = pageOf(found, query.limit, (last) => encodeCursor([last.id]))
      return { data: data.map(destinationView), nextCursor }
    },
    async createDestination(ctx, { body: { name, target, from, secretAccessKey } }) {
      const { destination, secret } = await service.create(
        ctx.tx,
        ctx.accountId,
        { name, target, from, secretAccessKey },
        actorOf(ctx.principal),
      )
      const view = destinationView(destination)
      const address = addressOf(target)
      ctx.audit({ target: view.id, details: { kind: target.kind, ...address } })
      return respond({ ...view, secret: secret ?? null }, { headers: { location: `/api/v1/audit/destinations/${view.id}` } })
    },
    async testDestination(ctx, { params }) {
      const failure = await service.test(ctx.accountId, idOf('adst', params.id))
      ctx.audit({ target: params.id, details: { delivered: failure === undefined } })
      return { delivered: failure === undefined, error: failure?.error ?? null }
    },
    async resumeDestination(ctx, { params }) {
      const destination = await service.resume(ctx.tx, ctx.accountId, idOf('adst', params.id))
      ctx.audit({ target: params.id })
      return destinationView(destination)
    },
    async deleteDestination(ctx, { params }) {
      const named = await nameBefore(destinationNames, ctx.tx, ctx.accountId, params.id)
      await service.remove(ctx.tx, ctx.accountId, idOf('adst', params.id))
      ctx.audit({ target: params.id, details: named })
      return { id: params.id, deleted: true as const }
    },
  }
}

function addressOf(target: AuditDestination['target']): Readonly<Record<string, string | number | boolean>> {
  if (target.kind === 'http') return { url: target.url }
  if (target.kind === 's3') return { url: target.url, bucket: target.bucket, prefix: target.prefix }
  return { host: target.host, port: target.port, tls: target.tls }
}

function destinationView({ id, name, target, state, position, createdAt, ...more }: AuditDestination) {
  const waits = state === 'active' && more.failingSince !== undefined
  return {
    id: toTypeId('adst', id),
    name,
    target,
    state,
    pausedReason: more.pausedReason ?? null,
    failingSince: more.failingSince?.toISOString() ?? null,
    lastError: more.lastError ?? null,
    nextAttemptAt: waits ? more.dueAt.toISOString() : null,
    position: { date: position.day, index: position.index },
    deliveredAt: more.deliveredAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}
