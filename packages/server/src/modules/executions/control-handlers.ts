import type { executions } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import { actorOf } from '#platform/auth/actor.ts'
import { type HandlersFor, type RequestContext, respond, respondStream } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids/index.ts'
import type { Control } from './control.ts'
import type { Execution } from './model.ts'
import { idOf, waitHeader, waitSecondsOf } from './request-parts.ts'
import { resumePointOf } from './stream-position.ts'
import type { Streams } from './streams.ts'
import { executionPath, executionView } from './views.ts'

export interface ControlServices {
  readonly control: Control
  readonly streams: Streams
}

/** Handlers of what is done to executions by hand, and of watching them. */
export function controlHandlers({ control, streams }: ControlServices): HandlersFor<typeof executions> {
  async function act(ctx: RequestContext, executionId: string, deed: (id: string, waitMs: number | undefined) => Promise<Execution>) {
    const waitSeconds = waitSecondsOf(ctx)
    const execution = await deed(idOf('exec', executionId), waitSeconds === undefined ? undefined : waitSeconds * 1000)
    ctx.audit({ target: executionId })
    return respond(executionView(execution, 'reference'), { headers: waitHeader(waitSeconds) })
  }

  return {
    cancel: (ctx, { params }) => act(ctx, params.executionId, (id, waitMs) => control.cancel(ctx.accountId, id, waitMs)),
    suspend: (ctx, { params }) => act(ctx, params.executionId, (id, waitMs) => control.suspend(ctx.accountId, id, waitMs)),
    resume: (ctx, { params }) => act(ctx, params.executionId, (id, waitMs) => control.resume(ctx.accountId, id, waitMs)),

    async retry(ctx, { params, body }) {
      const waitSeconds = waitSecondsOf(ctx)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Parsed from JSON, in which no member is undefined.
      const command = { actor: actorOf(ctx.principal), input: body.input as Json | undefined, version: body.version }
      const waitMs = waitSeconds === undefined ? undefined : waitSeconds * 1000
      const execution = await control.retry(ctx.accountId, idOf('exec', params.executionId), command, waitMs)
      const retriedBy = toTypeId('exec', execution.id)
      const details = { retriedBy, version: execution.version, inputReplaced: body.input !== undefined }
      ctx.audit({ target: params.executionId, details })
      const headers = { location: executionPath(execution.id), ...waitHeader(waitSeconds) }
      return respond(executionView(execution, 'reference'), { headers })
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
