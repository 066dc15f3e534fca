import { type agents, Fault, type Received } from '@millrace/contract'
import { durationMs } from '@millrace/dsl'
import { type Executions, resumePointOf } from '#modules/executions/index.ts'
import { actorOf } from '#platform/auth/principal.ts'
import { eventStreamHeaders, type HandlersFor, respond, respondStream, userKeyOf } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Agents } from './agent-service.ts'
import type { createLiveStreams } from './live-stream.ts'
import type { GivenTool } from './resolve-tools.ts'
import { runView, statsView, stepViews } from './views.ts'

export interface AgentHandlersDeps {
  readonly service: Agents
  readonly live: ReturnType<typeof createLiveStreams>
  readonly executions: Pick<Executions, 'streams'>
  readonly now: () => number
}

const stepsMax = 200
const weekMs = 7 * 24 * 60 * 60 * 1000
const periodMs = 30 * 24 * 60 * 60 * 1000

/** Handlers of the group `agents`. */
export function agentHandlers({ service, live, executions, now }: AgentHandlersDeps): HandlersFor<typeof agents> {
  return {
    async run(ctx, { body }) {
      const { accountId, userId } = ctx
      const { goal, data, quality, limits, approval, tools } = body
      if (approval.policy === 'never' && ctx.role !== 'admin' && ctx.role !== 'owner')
        throw invalid('/approval/policy', 'Only an admin may let an agent act without asking.')
      const run = await service.run({
        accountId,
        actor: actorOf(ctx.principal),
        scopes: ctx.principal?.scopes ?? new Set(),
        requestKey: userKeyOf(ctx),
        goal,
        data,
        quality,
        tools: tools.map(toolOf),
        limits: { steps: limits.steps, tokens: limits.tokens, cost: limits.cost, durationMs: within(limits.duration, '/limits/duration') },
        policy: approval.policy,
        approval: {
          approvers: approval.approvers ?? [toTypeId('usr', userId)],
          deadline: (within(approval.deadline, '/approval/deadline'), approval.deadline),
        },
      })
      const id = toTypeId('arun', run.row.id)
      ctx.audit({ target: id, details: { tools: tools.map(({ name }) => name), policy: approval.policy } })
      return respond(runView(run), { headers: { location: `/api/v1/agent/runs/${id}` } })
    },

    async list(ctx, { query: { limit, cursor, outcome } }) {
      const runs = await service.list(ctx.accountId, { before: decodeId(cursor), limit: limit + 1, outcome })
      const { data, nextCursor } = pageOf([...runs], limit, (last) => encodeCursor([last.row.id]))
      return { data: data.map(runView), nextCursor }
    },

    async get(ctx, { params }) {
      const run = await service.read(ctx.accountId, idOf('arun', params.id))
      const entries = await ctx.whileConnected((signal) => service.steps(ctx.accountId, run, 1000, signal))
      return { ...runView(run), steps: stepViews(entries, run.row.id).slice(0, stepsMax) }
    },

    async stream(ctx, { params, query }) {
      const { row } = await service.read(ctx.accountId, idOf('arun', params.id))
      if (row.executionId === undefined) throw new Fault('overloaded', { detail: 'The run is being started.', retryAfterSeconds: 2 })
      const from = resumePointOf(ctx.lastEventId ?? query.lastEventId)
      return respondStream(await executions.streams.open(ctx, row.executionId, from), { headers: eventStreamHeaders })
    },

    async live(ctx, { query }) {
      return respondStream(await live.open(ctx, ctx.lastEventId ?? query.lastEventId, query.seconds), { headers: eventStreamHeaders })
    },

    async stats(ctx, { query }) {
      const to = query.to === undefined ? new Date(now()) : new Date(query.to)
      const from = query.from === undefined ? new Date(to.getTime() - periodMs) : new Date(query.from)
      if (from >= to)
        throw new Fault('request_invalid', { errors: [{ pointer: '/to', detail: 'Must be later than `from`.', in: 'query' }] })
      return statsView({ from, to }, await service.stats(ctx.accountId, { from, to }))
    },
  }
}

type Given = Received<typeof agents.run>['body']['tools'][number]

function toolOf(tool: Given): GivenTool {
  switch (tool.kind) {
    case 'workflow':
      return { ...tool, risk: tool.risk, workflowId: idOf('wf', tool.workflowId) }
    case 'http':
      return { ...tool, risk: tool.risk, query: tool.query, body: tool.body }
    case 'mcp':
      return { ...tool, risk: tool.risk }
    case 'connector':
      return { ...tool, risk: tool.risk, connection: tool.connection }
    case 'account':
      return { ...tool, risk: tool.risk }
  }
}

function within(text: string, pointer: string): number {
  const ms = durationMs(text) ?? Number.NaN
  if (ms >= 1000 && ms <= weekMs) return ms
  throw invalid(pointer, 'Must be from a second to a week.')
}

function invalid(pointer: string, detail: string): Fault {
  return new Fault('agent_invalid', { errors: [{ pointer, detail }] })
}
