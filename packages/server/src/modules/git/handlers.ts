import type { git } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Git } from './git-service.ts'
import type { GitRepository } from './model.ts'
import type { SyncReport } from './sync.ts'

/** What the audit log commits to. */
function stateOf({ url, branch, folder, connection, pull, automatic, authors }: GitRepository) {
  return { url, branch, folder, connection: connection ?? null, pull, automatic, authors }
}

/** Handlers of the group `git`. */
export function gitHandlers(service: Git): HandlersFor<typeof git> {
  return {
    async list(ctx, { query: { limit, cursor } }) {
      const found = await service.list(ctx.tx, ctx.accountId, { before: decodeId(cursor), limit: limit + 1 })
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      return { data: data.map(repositoryView), nextCursor }
    },
    async create(ctx, { body }) {
      const repository = await service.link(ctx.tx, ctx.accountId, { ...body, connection: body.connection }, actorOf(ctx.principal))
      const { url, branch } = repository
      ctx.audit({ target: toTypeId('repo', repository.id), details: { url, branch } })
      return repositoryView(repository)
    },
    async update(ctx, { params, body }) {
      const { before, after } = await service.change(ctx.tx, ctx.accountId, idOf('repo', params.id), body)
      const { url, branch, folder } = after
      ctx.audit({ target: params.id, details: { url, branch, folder }, change: { before: stateOf(before), after: stateOf(after) } })
      return repositoryView(after)
    },
    async delete(ctx, { params }) {
      const url = await service.unlink(ctx.tx, ctx.accountId, idOf('repo', params.id))
      ctx.audit({ target: params.id, details: { url } })
      return { id: params.id, deleted: true as const }
    },
    async pull(ctx, { params, body }) {
      const options = { actor: actorOf(ctx.principal), resolve: body.resolve ?? {} }
      const report = await service.pull(ctx.accountId, idOf('repo', params.id), options)
      ctx.audit({ target: params.id, details: detailsOf(report) })
      return resultView(params.id, report)
    },
    async push(ctx, { params, body }) {
      const { resolve = {}, message } = body
      const options = { actor: actorOf(ctx.principal), resolve, message, workflowIds: body.workflowIds.map((id) => idOf('wf', id)) }
      const report = await service.push(ctx.accountId, idOf('repo', params.id), options)
      ctx.audit({ target: params.id, details: detailsOf(report) })
      return resultView(params.id, report)
    },
  }
}

function repositoryView({ accountId: _account, ...repository }: GitRepository) {
  return {
    ...repository,
    id: toTypeId('repo', repository.id),
    connection: repository.connection ?? null,
    commit: repository.commit ?? null,
    syncedAt: repository.syncedAt?.toISOString() ?? null,
    problem: repository.problem ?? null,
    conflicts: [...repository.conflicts],
    createdAt: repository.createdAt.toISOString(),
  }
}

function resultView(id: string, { commit, changes }: SyncReport) {
  return {
    id,
    commit: commit ?? null,
    changes: changes.map(({ path, workflowId, outcome, detail }) => ({
      path,
      workflowId: workflowId === undefined ? null : toTypeId('wf', workflowId),
      outcome,
      detail: detail ?? null,
    })),
  }
}

function detailsOf({ commit, changes }: SyncReport) {
  return { commit: commit ?? null, changed: changes.filter(({ outcome }) => outcome !== 'unchanged').length }
}
