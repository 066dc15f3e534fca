import { apiKeyNames } from '#modules/access/index.ts'
import { userNames } from '#modules/identity/index.ts'
import { notify } from '#modules/notifications/index.ts'
import { createPublishRequests, pageOf, type Workflows } from '#modules/workflows/index.ts'
import type { Tx } from '#platform/http/index.ts'
import { fromTypeId } from '#platform/ids.ts'

/** Requests to publish a draft, of which administrators and owners are notified. */
export function composePublishRequests(workflows: Workflows, now: () => number) {
  return createPublishRequests({
    now,
    workflows,
    nameOf,
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

async function nameOf(tx: Tx, accountId: string, actor: string): Promise<string | undefined> {
  const [, kind, id] = /^(user|key):(.+)$/.exec(actor) ?? []
  if (id === undefined) return undefined
  return (await (kind === 'key' ? apiKeyNames : userNames).of(tx, accountId, [id])).get(id)
}
