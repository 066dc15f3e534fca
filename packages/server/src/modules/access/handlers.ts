import type { apiKeys, Reply } from '@millrace/contract'
import type { HandlersFor } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { ApiKey, IssuedKey } from './model.ts'
import type { Access } from './service.ts'

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
      const workflowIds = body.workflowIds?.map((id) => idOf('wf', id))
      const wanted = { name, scopes, workflowIds, expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : undefined }
      const issued = await access.issue(ctx.tx, ctx.accountId, ctx, wanted)
      ctx.audit({
        target: toTypeId('key', issued.key.id),
        details: {
          name,
          scopes: [...issued.key.scopes],
          ...(body.workflowIds === undefined ? {} : { workflowIds: [...body.workflowIds] }),
        },
      })
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

type KeyView = Reply<typeof apiKeys.list>['data'][number]

function keyView(key: ApiKey): KeyView {
  return {
    id: toTypeId('key', key.id),
    name: key.name,
    start: key.start,
    scopes: [...key.scopes],
    workflowIds: key.workflowIds?.map((id) => toTypeId('wf', id)) ?? null,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  }
}

function issuedKeyView({ key, secret }: IssuedKey): Reply<typeof apiKeys.create> {
  return { ...keyView(key), secret }
}

const unitsMs = { W: 604_800_000, D: 86_400_000, H: 3_600_000, M: 60_000, S: 1000 }

/** Milliseconds of a duration in the form that the contract allows: weeks, or days and time, without years and months. */
export function durationMs(iso: string): number {
  let sum = 0
  for (const [, amount, unit] of iso.matchAll(/(\d+(?:\.\d+)?)([WDHMS])/g)) {
    if (unit === 'W' || unit === 'D' || unit === 'H' || unit === 'M' || unit === 'S') sum += Number(amount) * unitsMs[unit]
  }
  return sum
}
