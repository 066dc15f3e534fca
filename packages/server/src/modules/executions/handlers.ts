import { type executions, Fault, type JsonValue } from '@millrace/contract'
import type { ExecutionSnapshot } from '@millrace/engine'
import { actorOf, restricted } from '#platform/auth/principal.ts'
import {
  eventStreamHeaders,
  type HandlersFor,
  type RequestContext,
  respond,
  respondLater,
  respondStream,
  userKeyOf,
} from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { findAttemptLog } from './attempt-logs.ts'
import type { Settle } from './control/control.ts'
import type { Executions } from './create-executions.ts'
import type { StartCommand } from './start.ts'
import { resumePointOf } from './streams/stream-position.ts'
import { detailView, errorView, executionPath, executionView, foundView, listedView, recordView, taskSummaryView } from './views.ts'
import { preferenceHeader, preferredWaitSeconds } from './wait-preference.ts'

/** How long the operation `execute.run` waits unless the caller says so. */
const waitSecondsDefault = 60

/** Handlers of every operation on executions. */
export function executionHandlers({ control, streams, ...service }: Executions): HandlersFor<typeof executions> {
  return {
    async start(ctx, { params, body }) {
      const waitSeconds = preferredWaitSeconds(ctx)
      const command = commandOf(ctx, 'workflows.execute', params.id, body)
      const { execution, replayed } = await ctx.whileConnected((signal) =>
        service.execute(command, waitSeconds === undefined ? undefined : { waitMs: waitSeconds * 1000, signal }),
      )
      const headers = { location: executionPath(execution.id), ...replayedHeader(replayed), ...preferenceHeader(waitSeconds) }
      return respond(executionView(execution, 'reference'), { headers })
    },

    async run(ctx, { params, body }) {
      const preferred = preferredWaitSeconds(ctx)
      const command = commandOf(ctx, 'execute.run', params.id, body)
      const waitMs = (preferred ?? waitSecondsDefault) * 1000
      const { snapshot, replayed } = await ctx.whileConnected((signal) => service.run(command, { waitMs, signal }))
      const headers = { location: executionPath(snapshot.id), ...replayedHeader(replayed), ...preferenceHeader(preferred) }
      return respond(outputOf(snapshot), { headers })
    },

    async list(ctx, { params, query }) {
      const { limit, cursor, state, trigger, label: labels = [], from, to } = query
      const times = { from: from === undefined ? undefined : new Date(from), to: to === undefined ? undefined : new Date(to) }
      const page = await service.list(ctx.tx, ctx.accountId, idOf('wf', params.id), { limit, cursor, state, trigger, labels, ...times })
      return { data: page.data.map(listedView), nextCursor: page.nextCursor }
    },

    async search(ctx, { query }) {
      const {
        limit,
        cursor,
        state = [],
        trigger = [],
        label: labels = [],
        workflowId,
        errorType,
        needsAttention,
        causedBy,
        from,
        to,
        q,
      } = query
      const page = await service.search(ctx.tx, ctx.accountId, {
        within: ctx.workflowIds,
        limit,
        cursor,
        states: state,
        triggers: trigger,
        labels,
        workflowId: searchedOf(ctx, workflowId === undefined ? undefined : idOf('wf', workflowId)),
        errorType,
        needsAttention: needsAttention === 'true',
        causedBy: causedBy === undefined ? undefined : idOf('exec', causedBy),
        text: q,
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
      })
      return { data: page.data.map(foundView), nextCursor: page.nextCursor }
    },

    async get(ctx, { params, query }) {
      const { values, task, limit, cursor } = query
      const key = { accountId: ctx.accountId, id: idOf('exec', params.executionId) }
      if (query.view === 'summary') {
        const { execution, tasks } = await ctx.whileConnected((signal) => service.summary(key, signal))
        return { ...executionView(execution, values), timeline: [], timelineNextCursor: null, tasks: tasks.map(taskSummaryView) }
      }
      const { execution, timeline } = await ctx.whileConnected((signal) => service.get(key, { task, limit, cursor }, signal))
      return detailView(execution, timeline, values)
    },

    async record(ctx, { params, query: { limit, cursor } }) {
      const key = { accountId: ctx.accountId, id: idOf('exec', params.executionId) }
      return recordView(await service.record(key, { limit, cursor }))
    },

    async attemptLog(ctx, { params, query: { position } }) {
      const id = idOf('exec', params.executionId)
      await service.assertKnown({ accountId: ctx.accountId, id })
      const log = await findAttemptLog(ctx.tx, ctx.accountId, id, position)
      return {
        position: log?.position ?? null,
        text: log?.text ?? null,
        truncated: log?.truncated ?? false,
        at: log?.made_at.toISOString() ?? null,
      }
    },

    cancel: (ctx, { params }) => act(service, ctx, params.executionId, (id) => control.cancel(ctx.accountId, id)),
    suspend: (ctx, { params }) => act(service, ctx, params.executionId, (id) => control.suspend(ctx.accountId, id)),
    resume: (ctx, { params }) => act(service, ctx, params.executionId, (id) => control.resume(ctx.accountId, id)),

    async retry(ctx, { params, body }) {
      const command = { actor: actorOf(ctx.principal), input: body.input, version: body.version }
      const { id, version, settle } = await control.retry(ctx.accountId, idOf('exec', params.executionId), command)
      const details = { retriedBy: toTypeId('exec', id), version, inputReplaced: body.input !== undefined }
      ctx.audit({ target: params.executionId, details })
      return settled(service, ctx, settle, { location: executionPath(id) })
    },

    async stream(ctx, { params, query }) {
      const from = resumePointOf(ctx.lastEventId ?? query.lastEventId)
      const stream = await streams.open(ctx, idOf('exec', params.executionId), from)
      return respondStream(stream, { headers: eventStreamHeaders })
    },
  }
}

/** The workflow whose executions are searched; undefined for several. Those of one are found by an index, which is used for a key of one as well. */
function searchedOf({ workflowIds }: RequestContext, asked: string | undefined): string | undefined {
  if (workflowIds === undefined) return asked
  if (asked !== undefined && !workflowIds.has(asked)) throw restricted('the workflow of this request is not one of them')
  const [first] = workflowIds
  return asked ?? (workflowIds.size === 1 ? first : undefined)
}

type Shows = Pick<Executions, 'show'>

/** Requests something of an execution, and responds when that has taken effect. */
async function act(service: Shows, ctx: RequestContext, executionId: string, request: (id: string) => Promise<Settle>) {
  const settle = await request(idOf('exec', executionId))
  ctx.audit({ target: executionId })
  return settled(service, ctx, settle, {})
}

/** The execution when the request has taken effect, or after the time that the caller wants to wait at most. */
function settled(service: Shows, ctx: RequestContext, settle: Settle, headers: { readonly location?: string }) {
  const seconds = preferredWaitSeconds(ctx)
  return respondLater(async () => {
    const execution = await ctx.whileConnected((signal) => settle(seconds === undefined ? undefined : { waitMs: seconds * 1000, signal }))
    const shown = await service.show(ctx.accountId, execution)
    return respond(executionView(shown, 'reference'), { headers: { ...headers, ...preferenceHeader(seconds) } })
  })
}

/** The reply of an execution, or its output; a Fault where it has neither. */
function outputOf(snapshot: ExecutionSnapshot): JsonValue {
  if (snapshot.reply !== undefined) return snapshot.reply.body
  if (snapshot.state === 'completed') return snapshot.output ?? null
  throw faultOf(snapshot)
}

function faultOf({ id, state, error }: ExecutionSnapshot): Fault {
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
    detail: `The execution ${executionId} is still ${state}. Poll it by its id.`,
    extensions: { ...extensions, state },
  })
}

function commandOf(
  ctx: RequestContext,
  operation: string,
  workflowId: string,
  body: { readonly input?: JsonValue | undefined; readonly version?: number | undefined },
): StartCommand {
  const key = userKeyOf(ctx)
  return {
    accountId: ctx.accountId,
    workflowId: idOf('wf', workflowId),
    version: body.version,
    input: body.input === undefined ? {} : body.input,
    origin: { kind: 'api', id: actorOf(ctx.principal) },
    idempotencyKey: key === undefined ? undefined : { value: key, operation },
  }
}

function replayedHeader(replayed: boolean): { 'idempotent-replayed'?: string } {
  return replayed ? { 'idempotent-replayed': 'true' } : {}
}
