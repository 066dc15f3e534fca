import type { executions } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import { actorOf } from '#platform/auth/principal.ts'
import { type HandlersFor, type RequestContext, respond, respondLater, respondStream } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import type { Control, Settle } from './control.ts'
import { waitHeader, waitSecondsOf } from './request-parts.ts'
import { resumePointOf } from './stream-position.ts'
import type { Streams } from './streams.ts'
import { executionPath, executionView } from './views.ts'

export interface ControlServices {
  readonly control: Control
  readonly streams: Streams
}

/** Handlers of what is done to executions by hand, and of watching them. */
export function controlHandlers({ control, streams }: ControlServices): HandlersFor<typeof executions> {
  async function act(ctx: RequestContext, executionId: string, deed: (id: string) => Promise<Settle>) {
    const settle = await deed(idOf('exec', executionId))
    ctx.audit({ target: executionId })
    return answered(ctx, settle, {})
  }

  return {
    cancel: (ctx, { params }) => act(ctx, params.executionId, (id) => control.cancel(ctx.accountId, id)),
    suspend: (ctx, { params }) => act(ctx, params.executionId, (id) => control.suspend(ctx.accountId, id)),
    resume: (ctx, { params }) => act(ctx, params.executionId, (id) => control.resume(ctx.accountId, id)),

    async retry(ctx, { params, body }) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Parsed from JSON, in which no member is undefined.
      const command = { actor: actorOf(ctx.principal), input: body.input as Json | undefined, version: body.version }
      const { id, version, settle } = await control.retry(ctx.accountId, idOf('exec', params.executionId), command)
      const details = { retriedBy: toTypeId('exec', id), version, inputReplaced: body.input !== undefined }
      ctx.audit({ target: params.executionId, details })
      return answered(ctx, settle, { location: executionPath(id) })
    },

    async stream(ctx, { params, query }) {
      const from = resumePointOf(ctx.lastEventId ?? query.lastEventId)
      const stream = await streams.open(ctx.accountId, idOf('exec', params.executionId), from)
      return respondStream(stream, {
        headers: {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          // Tells nginx, and those that follow it, not to gather what is to be seen at once.
          'x-accel-buffering': 'no',
        },
      })
    },
  }
}

/** The execution when it has settled, or after the time that the caller wants to wait at most. */
function answered(ctx: RequestContext, settle: Settle, headers: { readonly location?: string }) {
  const seconds = waitSecondsOf(ctx)
  return respondLater(async () => {
    const execution = await ctx.whileConnected((signal) => settle(seconds === undefined ? undefined : { waitMs: seconds * 1000, signal }))
    return respond(executionView(execution, 'reference'), { headers: { ...headers, ...waitHeader(seconds) } })
  })
}
