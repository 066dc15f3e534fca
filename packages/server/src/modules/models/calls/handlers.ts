import type { ModelCallState, modelCalls } from '@millrace/contract'
import { amountOf } from '#modules/models/micros.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { ModelCalls } from './call-service.ts'

/** Handlers of the records of calls. */
export function modelCallHandlers(service: ModelCalls): HandlersFor<typeof modelCalls> {
  return {
    async list(ctx, { query: { limit, cursor, ...wanted } }) {
      const found = await service.list(ctx.tx, ctx.accountId, {
        before: decodeId(cursor),
        limit: limit + 1,
        ...wantedOf(wanted),
      })
      const { data, nextCursor } = pageOf([...found], limit, (last) => encodeCursor([last.id]))
      return { data: data.map(callView), nextCursor }
    },
    async get(ctx, { params }) {
      const call = await service.get(ctx.tx, ctx.accountId, idOf('mcall', params.id))
      ctx.audit({ target: params.id, details: { texts: callView(call).texts } })
      return { ...callView(call), prompt: call.texts?.prompt ?? null, answer: call.texts?.answer ?? null }
    },
    async usage(ctx, { query }) {
      const { totals, days, models, workflows, workflowNames } = await service.use(ctx.tx, ctx.accountId, wantedOf(query))
      return {
        ...sumsView(totals),
        days: days.map(({ day, ...sums }) => ({ day, ...sumsView(sums) })),
        models: models.map(({ model, ...sums }) => ({ model, ...sumsView(sums) })),
        workflows: workflows.map(({ workflowId: id, ...sums }) => ({
          workflowId: id === undefined ? null : toTypeId('wf', id),
          workflowName: id === undefined ? null : (workflowNames.get(id) ?? null),
          ...sumsView(sums),
        })),
      }
    },
  }
}

type CallsWanted = Parameters<ModelCalls['use']>[2]
type CallSums = Awaited<ReturnType<ModelCalls['use']>>['totals']

function sumsView({ calls, failed, inputTokens, outputTokens, costMicros }: CallSums) {
  return { calls, failed, inputTokens, outputTokens, cost: amountOf(costMicros) }
}

interface Wanted {
  readonly executionId?: string | undefined
  readonly position?: string | undefined
  readonly workflowId?: string | undefined
  readonly model?: string | undefined
  readonly state?: ModelCallState | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

function wantedOf({ executionId, position, workflowId, model, state, from, to }: Wanted): CallsWanted {
  return {
    executionId: executionId === undefined ? undefined : idOf('exec', executionId),
    position,
    workflowId: workflowId === undefined ? undefined : idOf('wf', workflowId),
    model,
    state,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  }
}

type Listed = Awaited<ReturnType<ModelCalls['list']>>[number]

function callView({
  id,
  executionId,
  workflowId,
  position,
  role,
  model,
  modelId,
  promptDigest,
  answerDigest,
  inputTokens,
  outputTokens,
  failed,
  ...rest
}: Listed) {
  return {
    id: toTypeId('mcall', id),
    at: rest.at.toISOString(),
    executionId: executionId === undefined ? null : toTypeId('exec', executionId),
    workflowId: workflowId === undefined ? null : toTypeId('wf', workflowId),
    position: position ?? null,
    role,
    state: failed === undefined ? ('answered' as const) : ('failed' as const),
    failure: failed?.failure ?? null,
    error: failed?.error ?? null,
    model,
    modelId,
    promptDigest: promptDigest ?? null,
    answerDigest: answerDigest ?? null,
    inputTokens,
    outputTokens,
    cost: rest.costMicros === undefined ? null : amountOf(rest.costMicros),
    durationMs: rest.durationMs ?? null,
    finish: rest.finish ?? null,
    texts: rest.areTextsKept ? ('kept' as const) : ('hashed' as const),
    expiresAt: rest.expiresAt.toISOString(),
  }
}
