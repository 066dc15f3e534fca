import type { approvals, JsonValue } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import type { HandlersFor } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Decision, Shown, Verdict } from './model.ts'
import type { Approvals } from './service.ts'
import { approvalView, linkedView, stateOf, summaryView } from './views.ts'

/** Handlers of the group `approvals`. */
export function approvalHandlers(service: Approvals, now: () => Date): HandlersFor<typeof approvals> {
  return {
    async list(ctx, { query: { limit, cursor, state, for: whose } }) {
      const options = { state, before: decodeId(cursor), limit: limit + 1, everybody: whose === 'all' }
      const found = await service.list(ctx.tx, ctx.accountId, ctx, options)
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      return { data: data.map(summaryView), nextCursor }
    },

    async ofExecution(ctx, { params, query: { limit, cursor, state } }) {
      const options = { state, before: decodeId(cursor), limit: limit + 1 }
      const found = await service.ofExecution(ctx.tx, ctx.accountId, idOf('exec', params.executionId), options)
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.approval.id]))
      return { data: data.map((record) => approvalView(record, now())), nextCursor }
    },

    async answer(ctx, { params, body }) {
      const executionId = idOf('exec', params.executionId)
      const approvalId = idOf('apr', params.approvalId)
      const record = await service.answer(ctx.tx, ctx.accountId, ctx, { executionId, approvalId, verdict: verdictOf(body) })
      ctx.audit({
        target: params.approvalId,
        details: { executionId: params.executionId, ...detailsOf(body, 'api', record.approval.state) },
      })
      ctx.afterCommit(() => service.handOver(approvalId))
      return approvalView(record, now())
    },

    async show(_ctx, { params }) {
      return linkedView(await service.show(params.token))
    },

    async answerByLink(ctx, { params, body }) {
      const shown = await service.answerByLink(params.token, verdictOf(body))
      ctx.audit(auditOf(shown, body))
      ctx.afterCommit(() => service.handOver(shown.approval.id))
      return linkedView(shown)
    },
  }
}

interface Body {
  readonly decision: Decision
  readonly reason?: string | undefined
  readonly data?: JsonValue | undefined
}

function verdictOf({ decision, reason, data }: Body): Verdict {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Parsed from JSON, in which no member is undefined.
  return { decision, reason, data: data as Json | undefined }
}

function auditOf({ link, approval, answer }: Shown, body: Body) {
  const { accountId } = approval
  const userId = answer?.person.userId
  const details = { executionId: toTypeId('exec', approval.executionId), email: link.email, ...detailsOf(body, 'link', stateOf(approval)) }
  return { target: toTypeId('apr', approval.id), accountId, ...(userId === undefined ? {} : { userId }), details }
}

function detailsOf({ decision, reason }: Body, via: 'api' | 'link', state: string) {
  return { decision, via, state, ...(reason === undefined ? {} : { reason }) }
}
