import type { approvals, JsonValue } from '@millrace/contract'
import type { HandlersFor } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import { planOf } from './approval-plan.ts'
import { askingWorkflows, type WorkflowNames } from './asking-workflows.ts'
import { chosenOptions } from './deciding/chosen-options.ts'
import type { Approval, Choice, LinkContent, GivenDecision } from './model.ts'
import type { Approvals } from './service.ts'
import { approvalView, linkedView, listedView, stateOf } from './views.ts'

/** Handlers of the group `approvals`. */
export function approvalHandlers(service: Approvals, now: () => Date, workflowNames: WorkflowNames): HandlersFor<typeof approvals> {
  return {
    async list(ctx, { query: { limit, cursor, state, for: whose, onlyBy } }) {
      const options = {
        state,
        before: decodeId(cursor),
        limit: limit + 1,
        whose,
        onlyBy: onlyBy === undefined ? undefined : idOf('usr', onlyBy),
      }
      const found = await service.list(ctx.tx, ctx.accountId, ctx, options)
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      const workflows = await askingWorkflows(ctx.tx, ctx.accountId, data, workflowNames)
      return { data: data.map((approval) => listedView(approval, workflows.get(approval.executionId))), nextCursor }
    },

    async ofExecution(ctx, { params, query: { limit, cursor, state } }) {
      const options = { state, before: decodeId(cursor), limit: limit + 1 }
      const found = await service.ofExecution(ctx.tx, ctx.accountId, idOf('exec', params.executionId), options)
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.approval.id]))
      const mayDecide = await service.decidableBy(ctx.tx, ctx.accountId, ctx, data)
      return { data: data.map((record) => approvalView(record, now(), mayDecide.has(record.approval.id))), nextCursor }
    },

    async answer(ctx, { params, body }) {
      const executionId = idOf('exec', params.executionId)
      const approvalId = idOf('apr', params.approvalId)
      const record = await service.decide(ctx.tx, ctx.accountId, ctx, { executionId, approvalId, given: givenDecisionOf(body) })
      ctx.audit({
        target: params.approvalId,
        details: { executionId: params.executionId, ...detailsOf(record.approval, body, 'api', record.approval.state) },
      })
      ctx.afterCommit(() => service.resumeExecution(approvalId))
      return approvalView(record, now(), false)
    },

    async reassign(ctx, { params, body: { to, from } }) {
      const [executionId, approvalId] = [idOf('exec', params.executionId), idOf('apr', params.approvalId)]
      const record = await service.reassign(ctx.tx, ctx.accountId, { executionId, approvalId, to: idOf('usr', to), from })
      ctx.audit({ target: params.approvalId, details: { executionId: params.executionId, to, ...(from === undefined ? {} : { from }) } })
      const mayDecide = await service.decidableBy(ctx.tx, ctx.accountId, ctx, [record])
      return approvalView(record, now(), mayDecide.has(approvalId))
    },

    async show(_ctx, { params }) {
      return linkedView(await service.show(params.token))
    },

    async answerByLink(ctx, { params, body }) {
      const content = await service.decideByLink(params.token, givenDecisionOf(body))
      ctx.audit(auditOf(content, body))
      ctx.afterCommit(() => service.resumeExecution(content.approval.id))
      return linkedView(content)
    },
  }
}

interface Body {
  readonly decision: Choice
  readonly reason?: string | undefined
  readonly data?: JsonValue | undefined
}

function givenDecisionOf({ decision, reason, data }: Body): GivenDecision {
  return { choice: decision, reason, data }
}

function auditOf({ link, approval, decision }: LinkContent, body: Body) {
  const { accountId } = approval
  const userId = decision?.person.userId
  const details = {
    executionId: toTypeId('exec', approval.executionId),
    email: link.email,
    ...detailsOf(approval, body, 'link', stateOf(approval)),
  }
  return { target: toTypeId('apr', approval.id), accountId, ...(userId === undefined ? {} : { userId }), details }
}

function detailsOf(approval: Approval, { decision, reason, data }: Body, via: 'api' | 'link', state: string) {
  const chosen = chosenOptions(planOf(approval).form, data)
  return {
    decision,
    via,
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(Object.keys(chosen).length === 0 ? {} : { chosen }),
  }
}
