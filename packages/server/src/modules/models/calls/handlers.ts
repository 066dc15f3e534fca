import type { modelCalls } from '@millrace/contract'
import type { HandlersFor } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { ModelCalls } from './call-service.ts'

/** Handlers of the records of calls. */
export function modelCallHandlers(service: ModelCalls): HandlersFor<typeof modelCalls> {
  return {
    async list(ctx, { query: { limit, cursor, executionId } }) {
      const found = await service.list(ctx.tx, ctx.accountId, {
        before: decodeId(cursor),
        limit: limit + 1,
        executionId: executionId === undefined ? undefined : idOf('exec', executionId),
      })
      const { data, nextCursor } = pageOf([...found], limit, (last) => encodeCursor([last.id]))
      return { data: data.map(callView), nextCursor }
    },
    async get(ctx, { params }) {
      const call = await service.get(ctx.tx, ctx.accountId, idOf('mcall', params.id))
      ctx.audit({ target: params.id, details: { texts: callView(call).texts } })
      return { ...callView(call), prompt: call.texts?.prompt ?? null, answer: call.texts?.answer ?? null }
    },
  }
}

type Listed = Awaited<ReturnType<ModelCalls['list']>>[number]

function callView({
  id,
  executionId,
  position,
  role,
  model,
  modelId,
  promptDigest,
  answerDigest,
  inputTokens,
  outputTokens,
  ...rest
}: Listed) {
  return {
    id: toTypeId('mcall', id),
    at: rest.at.toISOString(),
    executionId: executionId === undefined ? null : toTypeId('exec', executionId),
    position: position ?? null,
    role,
    model,
    modelId,
    promptDigest,
    answerDigest,
    inputTokens,
    outputTokens,
    texts: rest.areTextsKept ? ('kept' as const) : ('hashed' as const),
    expiresAt: rest.expiresAt.toISOString(),
  }
}
