import { apiKeyNames } from '#modules/access/index.ts'
import { userNames } from '#modules/identity/index.ts'
import { notify } from '#modules/notifications/index.ts'
import { createPublishRequests, findWorkflowNames, pageOf, type RequestedPublication, type Workflows } from '#modules/workflows/index.ts'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Tx } from '#platform/http/index.ts'
import { fromTypeId } from '#platform/ids.ts'

/** Requests to publish a draft, of which administrators and owners are notified. */
export function composePublishRequests(workflows: Workflows, now: () => number) {
  return createPublishRequests({
    now,
    workflows,
    namesOf,
    notifyDeclined: (tx, accountId, { workflow, name = 'An API key', note, requestedBy }) =>
      notify(tx, {
        accountId,
        userIds: userOf(requestedBy),
        kind: 'publish.requested',
        title: `${name} declined to publish ${workflow.name}`,
        body: note,
        link: pageOf(workflow),
      }),
    notify: (tx, accountId, { workflow, actor, name = 'An API key', note }) =>
      notify(tx, {
        accountId,
        roles: ['owner', 'admin'],
        exceptUserId: fromTypeId('usr', actor.replace(/^user:/, '')),
        kind: 'publish.requested',
        title: `${name} asks to publish ${workflow.name}`,
        body: note,
        link: pageOf(workflow),
        groupKey: `publish ${workflow.id}`,
      }),
  })
}

/** Notifies the person who asked for a publication that it happened. */
export async function notifyPublished(tx: Kysely<Rows>, accountId: string, published: RequestedPublication): Promise<void> {
  const { workflowId, number, requestedBy, isAsAsked } = published
  const name = (await findWorkflowNames(tx, accountId, [workflowId])).get(workflowId) ?? 'A workflow'
  await notify(tx, {
    accountId,
    userIds: userOf(requestedBy),
    kind: 'publish.requested',
    title: isAsAsked ? `${name} was published as you asked` : `${name} was published with other changes than you asked for`,
    body: `It is version ${number}.`,
    link: pageOf({ id: workflowId }),
  })
}

/** An API key has no list of notifications. */
function userOf(actor: string): readonly string[] {
  const id = actor.startsWith('user:') ? fromTypeId('usr', actor.slice('user:'.length)) : undefined
  return id === undefined ? [] : [id]
}

/** The names of users and API keys by `kind:id`, without those that are gone. */
async function namesOf(tx: Tx, accountId: string, actors: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const named = await Promise.all([
    namesOfKind(tx, accountId, { kind: 'user', source: userNames, actors }),
    namesOfKind(tx, accountId, { kind: 'key', source: apiKeyNames, actors }),
  ])
  return new Map(named.flat())
}

interface ActorsOfKind {
  readonly kind: string
  readonly source: typeof userNames
  readonly actors: readonly string[]
}

async function namesOfKind(tx: Tx, accountId: string, { kind, source, actors }: ActorsOfKind): Promise<readonly [string, string][]> {
  const prefix = `${kind}:`
  const ids = actors.filter((actor) => actor.startsWith(prefix)).map((actor) => actor.slice(prefix.length))
  const names = ids.length === 0 ? [] : await source.of(tx, accountId, ids)
  return [...names].map(([id, name]) => [prefix + id, name])
}
