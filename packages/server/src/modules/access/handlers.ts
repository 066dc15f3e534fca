import type { apiKeys } from '@millrace/contract'
import type { HandlersFor } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids/index.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import { durationMs } from './duration.ts'
import type { Access } from './service.ts'
import { issuedKeyView, keyView } from './views.ts'

/** Handlers of the group `apiKeys`. */
export function apiKeyHandlers(access: Access): HandlersFor<typeof apiKeys> {
  return {
    async list(ctx, { query }) {
      const before = decodeId(query.cursor)
      const found = await access.list(ctx.tx, ctx.accountId, ctx, { before, limit: query.limit + 1 })
      const { data, nextCursor } = pageOf(found, query.limit, (last) => encodeCursor([last.id]))
      return { data: data.map(keyView), nextCursor }
    },
    async create(ctx, { body }) {
      const { name, scopes, expiresAt } = body
      const wanted = { name, scopes, expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : undefined }
      const issued = await access.issue(ctx.tx, ctx.accountId, ctx, wanted)
      ctx.audit({ target: toTypeId('key', issued.key.id), details: { name, scopes: [...issued.key.scopes] } })
      return issuedKeyView(issued)
    },
    async revoke(ctx, { params }) {
      await access.revoke(ctx.tx, ctx.accountId, ctx, idOf('key', params.id))
      ctx.audit({ target: params.id })
      return { id: params.id, revoked: true }
    },
    async rotate(ctx, { params, body }) {
      const overlapMs = body.overlap === undefined ? 0 : durationMs(body.overlap)
      const issued = await access.rotate(ctx.tx, ctx.accountId, ctx, { keyId: idOf('key', params.id), overlapMs })
      ctx.audit({ target: params.id, details: { overlapMs } })
      return issuedKeyView(issued)
    },
  }
}
