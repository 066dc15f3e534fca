import { type executions, Fault, type JsonValue } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import { actorOf } from '#platform/auth/principal.ts'
import { type HandlersFor, type RequestContext, respond, respondLater, respondStream } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import type { Control, Settle } from './control.ts'
import { waitHeader, waitSecondsOf } from './request-parts.ts'
import type { Executions, Outcome } from './service.ts'
import type { StartCommand } from './start.ts'
import { resumePointOf } from './stream-position.ts'
import type { Streams } from './streams.ts'
import { detailView, errorView, executionPath, executionView, headView } from './views.ts'

export interface ExecutionServices {
  readonly service: Executions
  readonly control: Control
  readonly streams: Streams
}

/** How long the operation `execute.run` waits unless the caller says so. */
const waitSecondsDefault = 60

/** Handlers of every operation on executions. */
export function executionHandlers({ service, control, streams }: ExecutionServices): HandlersFor<typeof executions> {
  return {
    async start(ctx, { params, body }) {
      const waitSeconds = waitSecondsOf(ctx)
      const command = commandOf(ctx, 'workflows.execute', params.id, body)
      const { execution, replayed } = await ctx.whileConnected((signal) =>
        service.execute(ctx.accountId, command, waitSeconds === undefined ? undefined : { waitMs: waitSeconds * 1000, signal }),
      )
      const headers = { location: executionPath(execution.id), ...replayedHeader(replayed), ...waitHeader(waitSeconds) }
      return respond(executionView(execution, 'reference'), { headers })
    },

    async run(ctx, { params, body }) {
      const preferred = waitSecondsOf(ctx)
      const command = commandOf(ctx, 'execute.run', params.id, body)
      const waitMs = (preferred ?? waitSecondsDefault) * 1000
      const { outcome, replayed } = await ctx.whileConnected((signal) => service.run(ctx.accountId, command, { waitMs, signal }))
      const headers = { location: executionPath(outcome.id), ...replayedHeader(replayed), ...waitHeader(preferred) }
      return respond(outputOf(outcome), { headers })
    },

    async list(ctx, { params, query }) {
      const { limit, cursor, state, trigger, from, to } = query
      const times = { from: from === undefined ? undefined : new Date(from), to: to === undefined ? undefined : new Date(to) }
      const page = await service.list(ctx.tx, ctx.accountId, idOf('wf', params.id), { limit, cursor, state, trigger, ...times })
      return { data: page.data.map(headView), nextCursor: page.nextCursor }
    },

    async get(ctx, { params, query }) {
      const { values, task, limit, cursor } = query
      const key = { accountId: ctx.accountId, id: idOf('exec', params.executionId) }
      const { execution, timeline } = await ctx.whileConnected((signal) => service.get(key, { task, limit, cursor }, signal))
      return detailView(execution, timeline, values)
    },

    cancel: (ctx, { params }) => act(ctx, params.executionId, (id) => control.cancel(ctx.accountId, id)),
    suspend: (ctx, { params }) => act(ctx, params.executionId, (id) => control.suspend(ctx.accountId, id)),
    resume: (ctx, { params }) => act(ctx, params.executionId, (id) => control.resume(ctx.accountId, id)),

    async retry(ctx, { params, body }) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Parsed from JSON, in which no member is undefined.
      const command = { actor: actorOf(ctx.principal), input: body.input as Json | undefined, version: body.version }
      const { id, version, settle } = await control.retry(ctx.accountId, idOf('exec', params.executionId), command)
      const details = { retriedBy: toTypeId('exec', id), version, inputReplaced: body.input !== undefined }
      ctx.audit({ target: params.executionId, details })
      return settled(ctx, settle, { location: executionPath(id) })
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

/** Does something to an execution, and replies when that has come into effect. */
async function act(ctx: RequestContext, executionId: string, perform: (id: string) => Promise<Settle>) {
  const settle = await perform(idOf('exec', executionId))
  ctx.audit({ target: executionId })
  return settled(ctx, settle, {})
}

/** The execution when it has settled, or after the time that the caller wants to wait at most. */
function settled(ctx: RequestContext, settle: Settle, headers: { readonly location?: string }) {
  const seconds = waitSecondsOf(ctx)
  return respondLater(async () => {
    const execution = await ctx.whileConnected((signal) => settle(seconds === undefined ? undefined : { waitMs: seconds * 1000, signal }))
    return respond(executionView(execution, 'reference'), { headers: { ...headers, ...waitHeader(seconds) } })
  })
}

/** What it answered, or its output; a Fault for every end that has neither. */
function outputOf(outcome: Outcome): JsonValue {
  if (outcome.reply !== undefined) return outcome.reply.body
  if (outcome.state === 'completed') return outcome.output ?? null
  throw faultOf(outcome)
}

function faultOf({ id, state, error }: Outcome): Fault {
  const executionId = toTypeId('exec', id)
  const extensions = { executionId, href: executionPath(id) }
  if (state === 'faulted') {
    const reason = error === undefined ? '' : `: ${error.title}${error.detail === undefined ? '' : ` (${error.detail})`}`
    return new Fault('execution_faulted', {
      detail: `The execution ${executionId} ended with an error${reason}.`,
      extensions: error === undefined ? extensions : { ...extensions, error: errorView(error) },
    })
  }
  if (state === 'cancelled')
    return new Fault('execution_cancelled', { detail: `The execution ${executionId} was cancelled and has no output.`, extensions })
  return new Fault('execution_unfinished', {
    detail: `The execution ${executionId} goes on (${state}); it did not end within the time to wait. Ask for it by its id.`,
    extensions: { ...extensions, state },
  })
}

function commandOf(
  ctx: RequestContext,
  operation: string,
  workflowId: string,
  body: { readonly input?: JsonValue | undefined; readonly version?: number | undefined },
): StartCommand {
  return {
    operation,
    workflowId: idOf('wf', workflowId),
    number: body.version,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Parsed from JSON, in which no member is undefined.
    input: (body.input === undefined ? {} : body.input) as Json,
    actor: actorOf(ctx.principal),
    userId: ctx.userId,
    idempotencyKey: ctx.idempotencyKey,
  }
}

function replayedHeader(replayed: boolean): { 'idempotent-replayed'?: string } {
  return replayed ? { 'idempotent-replayed': 'true' } : {}
}
