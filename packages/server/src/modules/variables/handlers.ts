import type { variables } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import { etag, type HandlersFor, respond } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Variables } from './variable-service.ts'
import type { Variable } from './model.ts'
import { variableView } from './views.ts'

/** What the audit log commits to: never the value. */
const stateOf = ({ kind, description }: Variable) => ({ kind, description })

/** Handlers of the group `variables`. Audit rows name variables and never have values. */
export function variableHandlers(service: Variables): HandlersFor<typeof variables> {
  return {
    async list(ctx, { query }) {
      const { limit, cursor, workflowId, scope, kind, environment, name } = query
      const workflow = workflowId === undefined ? undefined : idOf('wf', workflowId)
      const filter = { limit: limit + 1, before: decodeId(cursor), workflowId: workflow, scope, kind, environment, name }
      const found = await service.list(ctx.tx, ctx.accountId, filter)
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      return { data: data.map(variableView), nextCursor }
    },
    async create(ctx, { body }) {
      const workflowId = body.workflowId === undefined ? undefined : idOf('wf', body.workflowId)
      const variable = await service.create(ctx.tx, ctx.accountId, { ...body, workflowId }, actorOf(ctx.principal))
      const id = toTypeId('var', variable.id)
      const { name, kind, environment } = variable
      ctx.audit({
        target: id,
        details: { name, kind, environment, ...(body.workflowId === undefined ? {} : { workflowId: body.workflowId }) },
      })
      return respond(variableView(variable), { headers: { etag: etag(variable.revision), location: `/api/v1/variables/${id}` } })
    },
    async update(ctx, { params, body }) {
      const { value, kind, description } = body
      const change = { actor: actorOf(ctx.principal), ifMatch: ctx.ifMatch }
      const { before, after } = await service.update(ctx.tx, ctx.accountId, idOf('var', params.id), { value, kind, description }, change)
      const details = { name: after.name, revision: after.revision, valueChanged: value !== undefined }
      ctx.audit({ target: params.id, details, change: { before: stateOf(before), after: stateOf(after) } })
      return respond(variableView(after), { headers: { etag: etag(after.revision) } })
    },
    async delete(ctx, { params }) {
      const { name, kind } = await service.remove(ctx.tx, ctx.accountId, idOf('var', params.id), ctx.ifMatch)
      ctx.audit({ target: params.id, details: { name, kind } })
      return { id: params.id, deleted: true as const }
    },
    async reveal(ctx, { params }) {
      const { variable, value } = await service.reveal(ctx.tx, ctx.accountId, idOf('var', params.id))
      const { name, kind, revision } = variable
      ctx.audit({ target: params.id, details: { name, kind, revision } })
      return { id: params.id, name, kind, value, revision }
    },
  }
}
