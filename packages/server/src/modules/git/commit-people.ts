import { fromTypeId } from '#platform/ids.ts'
import type { GitPerson } from '#platform/git/git-checkout.ts'
import type { GitDeps, Sync } from './sync.ts'

/**
 * The people behind a commit: who pushes, then who changed the workflows last. The first one is the author, the others are named as co-authors. Empty if
 * the repository names no people, or programs did it all.
 */
export async function commitPeople(
  { database, changersOf, peopleOf }: Pick<GitDeps, 'database' | 'changersOf' | 'peopleOf'>,
  { accountId, repository, options }: Sync,
  workflowIds: readonly string[],
): Promise<readonly GitPerson[]> {
  if (!repository.authors) return []
  return database.account(accountId, async (tx) => {
    const changers = await changersOf(tx, accountId, workflowIds, repository.pull === 'publish' ? 'version' : 'draft')
    const users = [options.actor, ...changers.values()].flatMap((actor) =>
      actor.startsWith('user:') ? (fromTypeId('usr', actor.slice('user:'.length)) ?? []) : [],
    )
    const ids = [...new Set(users)]
    const people = await peopleOf(tx, accountId, ids)
    return ids.flatMap((id) => people.get(id) ?? [])
  })
}
