import type { Reply, workflows } from '@millrace/contract'
import { actorOf, restricted } from '#platform/auth/principal.ts'
import { nameBefore } from '#platform/db/name-source.ts'
import { type AuditDetails, etag, type HandlersFor, type RequestContext, respond, type Tx, withPreparation } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { workflowNames } from './workflow-names.ts'
import type { Workflow } from './model.ts'
import type { WorkflowChange } from './prepared-change.ts'
import type { Workflows } from './service.ts'
import { workflowPath } from './document-names.ts'
import { duplicateOf } from './duplicate.ts'
import { losesName } from './document-names.ts'
import { importedOf, importLosesName } from './import.ts'
import type { PublishRequests } from './publishing/publish-requests.ts'
import { exportOf } from './transfer.ts'
import { callersView, dependentsView, requirementsView, summaryView, usesView, workflowView } from './views.ts'

type StartKind = Reply<typeof workflows.list>['data'][number]['startKinds'][number]

export interface WorkflowHandlersDeps {
  readonly service: Workflows
  readonly requests: Pick<PublishRequests, 'describe' | 'nameOf'>
  /** A transaction bound to the account. */
  readonly transaction: <T>(accountId: string, fn: (tx: Tx) => Promise<T>) => Promise<T>
  readonly now: () => number
  /** A number from 0 to below 1. */
  /** The kinds of the enabled triggers of each workflow that has any. */
  readonly startKinds: (tx: Tx, accountId: string, workflowIds: readonly string[]) => Promise<ReadonlyMap<string, readonly StartKind[]>>
}

/** Handlers of the workflows. */
export function workflowHandlers({ service, requests, transaction, now, startKinds }: WorkflowHandlersDeps): HandlersFor<typeof workflows> {
  return {
    async list(ctx, { query }) {
      const { q, limit, sort, cursor, state, tag, trigger, document, ids: given } = query
      const ids = permittedOf(
        ctx,
        given?.map((id) => idOf('wf', id)),
      )
      const page = await service.list(ctx.tx, ctx.accountId, { text: q, limit, sort, cursor, state, tag, trigger, document, ids })
      const kinds = await startKinds(
        ctx.tx,
        ctx.accountId,
        page.data.map(({ id }) => id),
      )
      const data = page.data.map((one) => ({ ...summaryView(one), startKinds: [...(kinds.get(one.id) ?? [])] }))
      return { data, nextCursor: page.nextCursor }
    },

    create: withPreparation(
      (ctx, { body }) => service.prepareCreate(ctx.accountId, body),
      async (ctx, { body }, prepared) => {
        const { definition, name, description, tags, publish, note } = body
        const given = { definition, name, description, tags, publish, note }
        return created(ctx, await service.create(ctx.tx, ctx.accountId, given, prepared, authorOf(ctx)))
      },
    ),

    async get(ctx, { params, query }) {
      const { workflow, definition, text } = await service.get(ctx.accountId, idOf('wf', params.id), query.version, 'yaml')
      const invalidDraft = query.version === undefined ? workflow.invalidDraft : undefined
      if (query.callers === true && ctx.workflowIds !== undefined) throw restricted('`callers` names others')
      const callers = query.callers === true ? dependentsView(await service.dependents(ctx.accountId, workflow.id)) : {}
      const within = <T>(fn: (tx: Tx) => Promise<T>) => transaction(ctx.accountId, fn)
      const { updatedBy } = workflow
      const ofDraft =
        query.version === undefined
          ? {
              updatedBy,
              updatedByName: (await within((tx) => requests.nameOf(tx, ctx.accountId, updatedBy))) ?? null,
              publishing: await requests.describe(within, ctx.accountId, workflow, callerOf(ctx)),
            }
          : {}
      const view = { ...workflowView(workflow, definition, text, invalidDraft, now()), ...callers, ...ofDraft }
      return respond(view, { headers: { etag: etag(workflow.revision) } })
    },

    update: withPreparation(
      (ctx, { params, body }) => service.prepareUpdate(ctx.accountId, idOf('wf', params.id), changeOf(body)),
      async (ctx, { params, body }, prepared) => {
        const options = { ...authorOf(ctx), ifMatch: ctx.ifMatch }
        const workflow = await service.update(ctx.tx, ctx.accountId, idOf('wf', params.id), changeOf(body), prepared, options)
        audit(ctx, workflow, { before: stateOf(workflow.before), after: stateOf(workflow) })
        const publishing = await requests.describe((fn) => fn(ctx.tx), ctx.accountId, workflow, callerOf(ctx))
        const { updatedBy } = workflow
        return respond({ ...(await draftView(ctx, workflow)), updatedBy, publishing }, { headers: { etag: etag(workflow.revision) } })
      },
    ),

    async delete(ctx, { params }) {
      const named = await nameBefore(workflowNames, ctx.tx, ctx.accountId, params.id)
      const callers = await service.remove(ctx.tx, ctx.accountId, idOf('wf', params.id), { ...authorOf(ctx), ifMatch: ctx.ifMatch })
      ctx.audit({ target: params.id, details: named })
      return { id: params.id, deleted: true as const, callers: callersView(callers) }
    },

    async executionRequirements(ctx, { params, query }) {
      const id = idOf('wf', params.id)
      const requirements = query.version === 'draft' ? service.draftRequirements : service.requirements
      return requirementsView(await requirements(ctx.tx, ctx.accountId, id))
    },

    async using(ctx, { query }) {
      return usesView(await service.uses(ctx.tx, ctx.accountId, query))
    },

    async tags(ctx) {
      return { data: [...(await service.tags(ctx.tx, ctx.accountId))] }
    },

    duplicate: withPreparation(
      async (ctx, { params, body }, attempt) => {
        const { workflow } = await service.get(ctx.accountId, idOf('wf', params.id), undefined, 'yaml')
        const given = await duplicateOf(workflow, body.name, {
          ...service.naming(ctx.accountId, attempt),
          renamed: (documentName) => service.renamed(ctx.accountId, workflow, documentName),
        })
        return { given, definition: await service.prepareCreate(ctx.accountId, given) }
      },
      async (ctx, _input, { given, definition }) =>
        created(ctx, await service.create(ctx.tx, ctx.accountId, given, definition, authorOf(ctx))),
      losesName,
    ),

    async export(ctx, { params, query }) {
      const found = await service.get(ctx.accountId, idOf('wf', params.id), query.version, query.syntax)
      return exportOf(found, found.text, { syntax: query.syntax, at: new Date(now()) })
    },

    import: withPreparation(
      async (ctx, { body }, attempt) => {
        const { report, ...given } = await importedOf(body, service.naming(ctx.accountId, attempt))
        return { given, report, definition: await service.prepareCreate(ctx.accountId, given) }
      },
      async (ctx, _input, { given, report, definition }) => {
        const workflow = await service.create(ctx.tx, ctx.accountId, given, definition, authorOf(ctx))
        audit(ctx, workflow)
        const view = await draftView(ctx, workflow)
        const headers = { etag: etag(workflow.revision), location: workflowPath(workflow.id) }
        return respond({ ...view, ...(report === undefined ? {} : { report }) }, { headers })
      },
      importLosesName,
    ),

    createFromTemplate: withPreparation(
      async (ctx, { params, body: { name, publish, parameters } }, attempt) => {
        const naming = service.naming(ctx.accountId, attempt)
        const { given, origin } = await service.fromTemplate(params.templateId, { name, publish, parameters }, naming)
        return { given, origin, definition: await service.prepareCreate(ctx.accountId, given) }
      },
      async (ctx, _input, { given, origin, definition }) => {
        const workflow = await service.create(ctx.tx, ctx.accountId, given, definition, authorOf(ctx))
        await service.recordOrigin(ctx.tx, ctx.accountId, { ...origin, workflowId: workflow.id }, authorOf(ctx))
        return created(ctx, workflow)
      },
      losesName,
    ),
  }

  async function created(ctx: RequestContext, workflow: Workflow) {
    audit(ctx, workflow)
    return respond(await draftView(ctx, workflow), { headers: { etag: etag(workflow.revision), location: workflowPath(workflow.id) } })
  }

  async function draftView(ctx: RequestContext, workflow: Workflow) {
    return workflowView(workflow, workflow.draft, await service.textOf(ctx.accountId, workflow), workflow.invalidDraft, now())
  }
}

/** The workflows that a list may contain: those that are asked for, without those that the key of the caller does not permit. */
function permittedOf({ workflowIds }: RequestContext, asked: readonly string[] | undefined): readonly string[] | undefined {
  if (workflowIds === undefined) return asked
  return asked === undefined ? [...workflowIds] : asked.filter((id) => workflowIds.has(id))
}

function changeOf({
  definition,
  name,
  description,
  tags,
  enabled,
  minutesPerRun,
  publish,
  note,
  input,
}: Partial<WorkflowChange>): WorkflowChange {
  return { definition, name, description, tags, enabled, minutesPerRun, publish, note, input }
}

function audit(ctx: RequestContext, { id, revision, latest }: Workflow, change?: AuditDetails['change']): void {
  const details = { revision, version: latest?.number ?? null }
  ctx.audit({ target: toTypeId('wf', id), details, ...(change === undefined ? {} : { change }) })
}

/** What the audit log commits to. The definition is stated by its checksum, since every version of it is kept. */
function stateOf({
  name,
  description,
  tags,
  enabled,
  minutesPerRun,
  draft,
  latest,
}: Workflow): NonNullable<AuditDetails['change']>['before'] {
  return {
    name,
    description: description ?? null,
    tags: [...tags],
    enabled,
    minutesPerRun: minutesPerRun ?? null,
    definition: draft.checksum,
    version: latest?.number ?? null,
  }
}

function callerOf(ctx: RequestContext) {
  return { ...authorOf(ctx), role: ctx.role }
}

function authorOf(ctx: RequestContext) {
  return { actor: actorOf(ctx.principal) }
}
