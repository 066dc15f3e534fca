import type { workflows } from '@millrace/contract'
import { actorOf } from '#platform/auth/actor.ts'
import { etag, type HandlersFor, type RequestContext, respond } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids/index.ts'
import type { Workflow } from './model.ts'
import { type Workflows, workflowPath } from './service.ts'
import { assertIntact, exportOf } from './transfer.ts'
import { requirementsView, summaryView, workflowView } from './views.ts'

type Group = Omit<typeof workflows, 'execute' | 'executions' | 'execution'>

export interface WorkflowHandlersDeps {
  readonly service: Workflows
  readonly now: () => number
}

/** Handlers of the workflows themselves; those of their executions are the executions module's. */
export function workflowHandlers({ service, now }: WorkflowHandlersDeps): HandlersFor<Group> {
  return {
    async list(ctx, { query }) {
      const { q, limit, sort, cursor, state, tag, trigger } = query
      const page = await service.list(ctx.tx, ctx.accountId, { text: q, limit, sort, cursor, state, tag, trigger })
      return { data: page.data.map(summaryView), nextCursor: page.nextCursor }
    },

    async create(ctx, { body }) {
      const { definition, name, description, tags, publish } = body
      const workflow = await service.create(ctx.tx, ctx.accountId, { definition, name, description, tags, publish }, authorOf(ctx))
      return created(ctx, workflow)
    },

    async get(ctx, { params, query }) {
      const { workflow, definition } = await service.get(ctx.tx, ctx.accountId, idOf('wf', params.id), query.version)
      return respond(workflowView(workflow, definition), { headers: { etag: etag(workflow.revision) } })
    },

    async update(ctx, { params, body }) {
      const { definition, name, description, tags, enabled, publish } = body
      const change = { definition, name, description, tags, enabled, publish }
      const options = { ...authorOf(ctx), ifMatch: ctx.ifMatch }
      const workflow = await service.update(ctx.tx, ctx.accountId, idOf('wf', params.id), change, options)
      audit(ctx, workflow)
      return respond(workflowView(workflow, workflow.draft), { headers: { etag: etag(workflow.revision) } })
    },

    async delete(ctx, { params }) {
      await service.remove(ctx.tx, ctx.accountId, idOf('wf', params.id), { ...authorOf(ctx), ifMatch: ctx.ifMatch })
      ctx.audit({ target: params.id })
      return { id: params.id, deleted: true as const }
    },

    async executionRequirements(ctx, { params }) {
      return requirementsView(await service.requirements(ctx.tx, ctx.accountId, idOf('wf', params.id)))
    },

    async export(ctx, { params, query }) {
      const found = await service.get(ctx.tx, ctx.accountId, idOf('wf', params.id), query.version)
      return exportOf(found, { syntax: query.syntax, at: new Date(now()) })
    },

    async import(ctx, { body }) {
      const { document, name, description, tags } = body.export
      assertIntact(body.export)
      const given = { definition: document, name: body.name ?? name, description: description ?? undefined, tags, publish: body.publish }
      return created(ctx, await service.create(ctx.tx, ctx.accountId, given, authorOf(ctx)))
    },

    async createFromTemplate(ctx, { params, body }) {
      const given = await service.fromTemplate(params.templateId, { name: body.name, publish: body.publish })
      return created(ctx, await service.create(ctx.tx, ctx.accountId, given, authorOf(ctx)))
    },
  }
}

function created(ctx: RequestContext, workflow: Workflow) {
  audit(ctx, workflow)
  return respond(workflowView(workflow, workflow.draft), {
    headers: { etag: etag(workflow.revision), location: workflowPath(workflow.id) },
  })
}

function audit(ctx: RequestContext, { id, revision, latest }: Workflow): void {
  ctx.audit({ target: toTypeId('wf', id), details: { revision, version: latest?.number ?? null } })
}

function authorOf(ctx: RequestContext) {
  return { actor: actorOf(ctx.principal) }
}
