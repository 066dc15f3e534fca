import { type execute, Fault, type JsonValue, type workflows } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import { actorOf } from '#platform/auth/principal.ts'
import { type HandlersFor, type RequestContext, respond } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { waitHeader, waitSecondsOf } from './request-parts.ts'
import type { Executions, Outcome } from './service.ts'
import type { StartCommand } from './start.ts'
import { detailView, errorView, executionPath, executionView, headView } from './views.ts'

type WorkflowOperations = Pick<typeof workflows, 'execute' | 'executions' | 'execution'>

/** How long `execute/{id}/run` waits unless told. */
const waitSecondsDefault = 60

/** Handlers of the executions among the operations of workflows. */
export function executionHandlers(service: Executions): HandlersFor<WorkflowOperations> {
  return {
    async execute(ctx, { params, body }) {
      const waitSeconds = waitSecondsOf(ctx)
      const command = commandOf(ctx, 'workflows.execute', params.id, body)
      const { execution, replayed } = await ctx.whileConnected((signal) =>
        service.execute(ctx.accountId, command, waitSeconds === undefined ? undefined : { waitMs: waitSeconds * 1000, signal }),
      )
      const headers = { location: executionPath(execution.id), ...replayedHeader(replayed), ...waitHeader(waitSeconds) }
      return respond(executionView(execution, 'reference'), { headers })
    },

    async executions(ctx, { params, query }) {
      const { limit, cursor, state, trigger, from, to } = query
      const times = { from: from === undefined ? undefined : new Date(from), to: to === undefined ? undefined : new Date(to) }
      const page = await service.list(ctx.tx, ctx.accountId, idOf('wf', params.id), { limit, cursor, state, trigger, ...times })
      return { data: page.data.map(headView), nextCursor: page.nextCursor }
    },

    async execution(ctx, { params, query }) {
      const { values, task, limit, cursor } = query
      const key = { accountId: ctx.accountId, id: idOf('exec', params.executionId) }
      const { execution, timeline } = await ctx.whileConnected((signal) => service.get(key, { task, limit, cursor }, signal))
      return detailView(execution, timeline, values)
    },
  }
}

/** Handlers of running a workflow like a function. */
export function executeHandlers(service: Executions): HandlersFor<typeof execute> {
  return {
    async run(ctx, { params, body }) {
      const preferred = waitSecondsOf(ctx)
      const command = commandOf(ctx, 'execute.run', params.id, body)
      const waitMs = (preferred ?? waitSecondsDefault) * 1000
      const { outcome, replayed } = await ctx.whileConnected((signal) => service.run(ctx.accountId, command, { waitMs, signal }))
      const headers = { location: executionPath(outcome.id), ...replayedHeader(replayed), ...waitHeader(preferred) }
      return respond(outputOf(outcome), { headers })
    },
  }
}

/** What it answered, or its output; a Fault for every end that has neither. */
function outputOf(outcome: Outcome): JsonValue {
  if (outcome.answer !== undefined) return outcome.answer.body
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
