import type { approvals, JsonValue } from '@millrace/contract'
import { type AccountFiles, showFile } from '#modules/files/index.ts'
import type { HandlersFor, RequestContext } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import { planOf } from './approval-plan.ts'
import { stateOf } from './approval-state.ts'
import { askingExecutions, type WorkflowNames } from './asking-executions.ts'
import { chosenOptions } from './deciding/chosen-options.ts'
import type { Approval, ApprovalRecord, Choice, GivenDecision, LinkContent } from './model.ts'
import type { Approvals } from './service.ts'
import { approvalView, linkedView, listedView } from './views.ts'

export interface ApprovalHandlerDeps {
  readonly service: Approvals
  readonly now: () => Date
  readonly workflowNames: WorkflowNames
  readonly openFile: AccountFiles['open']
  readonly sendsMail: boolean
}

/** Handlers of the group `approvals`. */
export function approvalHandlers({ service, now, workflowNames, openFile, sendsMail }: ApprovalHandlerDeps): HandlersFor<typeof approvals> {
  async function viewsOf(ctx: RequestContext, records: readonly ApprovalRecord[], mayDecide: ReadonlySet<string>) {
    const files = await service.files(
      ctx.tx,
      records.map(({ approval }) => approval),
    )
    const obstacles = await service.obstacles(ctx.tx, ctx.accountId, records, sendsMail)
    return records.map((record) => {
      const { id } = record.approval
      return approvalView(record, { now: now(), mayDecide: mayDecide.has(id), obstacle: obstacles.get(id), files: files.get(id) ?? [] })
    })
  }

  async function viewOf(ctx: RequestContext, record: ApprovalRecord, mayDecide: ReadonlySet<string>) {
    const [view] = await viewsOf(ctx, [record], mayDecide)
    if (view === undefined) throw new Error('an approval has no view')
    return view
  }

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
      const executions = await askingExecutions(ctx.tx, ctx.accountId, data, workflowNames)
      return { data: data.map((approval) => listedView(approval, executions.get(approval.executionId))), nextCursor }
    },

    async ofExecution(ctx, { params, query: { limit, cursor, state } }) {
      const options = { state, before: decodeId(cursor), limit: limit + 1 }
      const found = await service.ofExecution(ctx.tx, ctx.accountId, idOf('exec', params.executionId), options)
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.approval.id]))
      const mayDecide = await service.decidableBy(ctx.tx, ctx.accountId, ctx, data)
      return { data: await viewsOf(ctx, data, mayDecide), nextCursor }
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
      return viewOf(ctx, record, new Set())
    },

    async reassign(ctx, { params, body: { to, from } }) {
      const [executionId, approvalId] = [idOf('exec', params.executionId), idOf('apr', params.approvalId)]
      const request = { executionId, approvalId, to: idOf('usr', to), from, by: ctx }
      const { record, replaced } = await service.reassign(ctx.tx, ctx.accountId, request)
      // Several were replaced only where no person could decide for any of them.
      const [first, ...others] = replaced
      ctx.audit({
        target: params.approvalId,
        details: { executionId: params.executionId, to, from: others.length === 0 && first !== undefined ? first : [...replaced] },
      })
      return viewOf(ctx, record, await service.decidableBy(ctx.tx, ctx.accountId, ctx, [record]))
    },

    async file(ctx, { params }) {
      const ids = { executionId: idOf('exec', params.executionId), approvalId: idOf('apr', params.approvalId) }
      const found = await service.file(ctx.tx, ctx.accountId, { ...ids, fileId: idOf('file', params.fileId) })
      return showFile(ctx, { file: found, where: { executionId: params.executionId, approval: params.approvalId } }, openFile)
    },

    async linkedFile(ctx, { params }) {
      const { file: found, content } = await service.linkedFile(params.token, idOf('file', params.fileId))
      const { approval, link } = content
      const where = { executionId: toTypeId('exec', approval.executionId), approval: toTypeId('apr', approval.id), email: link.email }
      return showFile(ctx, { file: found, where }, openFile)
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
