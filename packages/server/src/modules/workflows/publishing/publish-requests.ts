import { Fault, hasRole, type Role } from '@millrace/contract'
import type { Tx } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { PublishRequest, Workflow } from '#modules/workflows/model.ts'
import type { Workflows } from '#modules/workflows/service.ts'
import { deleteRequest, listRequests, putRequest } from './request-store.ts'

const listedMax = 100

export interface PublishRequestsDeps {
  readonly now: () => number
  readonly workflows: Pick<Workflows, 'findForChange' | 'mayPublish'>
  /** The names of users and API keys by `kind:id`, without those that are gone. */
  readonly namesOf: (tx: Tx, accountId: string, actors: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Notifies the administrators and owners of an account but for the one who asks. */
  readonly notify: (tx: Tx, accountId: string, asked: AskedPublication) => Promise<void>
  /** Notifies the person who asked that it was declined. */
  readonly notifyDeclined: (tx: Tx, accountId: string, declined: DeclinedPublication) => Promise<void>
}

/** A request that was declined by another person than the one who asked. */
export interface DeclinedPublication extends AskedPublication {
  /** As `kind:id`. */
  readonly requestedBy: string
}

/** What those who may publish hear of. */
export interface AskedPublication {
  readonly workflow: Pick<Workflow, 'id' | 'name'>
  readonly actor: string
  readonly name: string | undefined
  readonly note: string | undefined
}

interface Caller {
  readonly actor: string
  readonly role: Role
}

export type PublishRequests = ReturnType<typeof createPublishRequests>

/** Requests to publish a draft, by authors who may not publish themselves, or who want that another person looks at it first. */
export function createPublishRequests({ now, workflows, namesOf, notify, notifyDeclined }: PublishRequestsDeps) {
  async function nameOf(tx: Tx, accountId: string, actor: string): Promise<string | undefined> {
    return (await namesOf(tx, accountId, [actor])).get(actor)
  }

  async function describeRequest(tx: Tx, accountId: string, request: PublishRequest, isCurrent: boolean) {
    return viewOf(request, { isCurrent, name: await nameOf(tx, accountId, request.requestedBy) })
  }

  return {
    /** The name of the user or API key that is `kind:id`; undefined for one that is gone. */
    nameOf,

    /** Keeps a request and notifies of it; a repetition for the same draft does neither. Fault `conflict` for what cannot be published. */
    async ask(tx: Tx, accountId: string, id: string, { actor, note }: { readonly actor: string; readonly note: string | undefined }) {
      const workflow = await workflows.findForChange(tx, accountId, id, { actor, ifMatch: undefined })
      const { draft, latest, invalidDraft, publishRequest } = workflow
      if (invalidDraft !== undefined) throw new Fault('conflict', { detail: 'The draft is not valid. Correct it, then ask again.' })
      if (draft.checksum === latest?.checksum)
        throw new Fault('conflict', { detail: `The draft is version ${latest.number}, which is published. There is nothing to ask for.` })
      if (publishRequest?.checksum === draft.checksum) return describeRequest(tx, accountId, publishRequest, true)
      const request = { checksum: draft.checksum, note, requestedAt: new Date(now()), requestedBy: actor }
      await putRequest(tx, accountId, id, request)
      const view = await describeRequest(tx, accountId, request, true)
      await notify(tx, accountId, { workflow, actor, name: view.requestedByName ?? undefined, note })
      return view
    },

    /** The open requests of an account. */
    async list(tx: Tx, accountId: string) {
      const open = await listRequests(tx, accountId, listedMax)
      const names = await namesOf(tx, accountId, [...new Set(open.map(({ request }) => request.requestedBy))])
      return open.map(({ workflowId, workflowName, request, isCurrent }) => ({
        workflowId: toTypeId('wf', workflowId),
        workflowName,
        request: viewOf(request, { isCurrent, name: names.get(request.requestedBy) }),
      }))
    },

    /** Ends a request. Fault `not_found` without one, `forbidden` for a person who neither asked nor may publish. */
    async decline(tx: Tx, accountId: string, id: string, { actor, note }: { readonly actor: string; readonly note: string | undefined }) {
      const workflow = await workflows.findForChange(tx, accountId, id, { actor, ifMatch: undefined })
      const requestedBy = workflow.publishRequest?.requestedBy
      if (requestedBy === undefined) throw new Fault('not_found', { detail: 'There is no request to publish this workflow.' })
      if (requestedBy !== actor && !(await workflows.mayPublish(tx, accountId, { actor })))
        throw new Fault('forbidden', { detail: 'Administrators and owners decline a request, and the person who asked withdraws it.' })
      await deleteRequest(tx, accountId, id)
      if (requestedBy !== actor)
        await notifyDeclined(tx, accountId, { workflow, actor, name: await nameOf(tx, accountId, actor), note, requestedBy })
    },

    /** Whether a caller may publish a workflow, and who has asked for that. @param within runs a function in a transaction. */
    async describe(
      within: <T>(fn: (tx: Tx) => Promise<T>) => Promise<T>,
      accountId: string,
      { draft, latest, invalidDraft, publishRequest }: Workflow,
      { actor, role }: Caller,
    ) {
      const isValid = invalidDraft === undefined
      const request = isValid && draft.checksum === latest?.checksum ? undefined : publishRequest
      const isCurrent = isValid && request?.checksum === draft.checksum
      return {
        allowed:
          hasRole(role, 'admin') || (hasRole(role, 'member') && (await within((tx) => workflows.mayPublish(tx, accountId, { actor })))),
        request: request === undefined ? null : await within((tx) => describeRequest(tx, accountId, request, isCurrent)),
      }
    },
  }
}

interface Described {
  readonly isCurrent: boolean
  readonly name: string | undefined
}

function viewOf({ note, requestedAt, requestedBy }: PublishRequest, { isCurrent, name }: Described) {
  return { note: note ?? null, requestedAt: requestedAt.toISOString(), requestedBy, requestedByName: name ?? null, isCurrent }
}

/** Path of the page on which a workflow is published. */
export function pageOf({ id }: Pick<Workflow, 'id'>): string {
  return `/workflows/${toTypeId('wf', id)}`
}
