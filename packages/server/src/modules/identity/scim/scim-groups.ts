import { roleOf } from '#modules/identity/external/exchange-code.ts'
import { lockAccount } from '#modules/identity/providers/provider-store.ts'
import { type Executor, setProvisionedRole } from '#modules/identity/store.ts'
import { toTypeId } from '#platform/ids.ts'
import { ScimFault } from './scim-fault.ts'
import {
  countScimGroups,
  deleteScimGroup,
  findGrouped,
  findGroupNames,
  findScimGroups,
  putScimGroup,
  putScimMembers,
  type ScimGroup,
} from './scim-group-store.ts'
import { applyPatch } from './scim-patch.ts'
import { groupAttributes, groupResource, readGroup } from './scim-resources.ts'
import { findScimSettings } from './scim-settings-store.ts'
import type { ScimChange } from './scim-users.ts'

interface Changed {
  readonly group: ScimGroup
  readonly change: ScimChange
}

export interface ScimGroupDeps {
  readonly now: () => Date
  readonly newId: () => string
}

const groupsMax = 500

export type ScimGroups = ReturnType<typeof createScimGroups>

/**
 * Groups of a directory. The strongest role that the groups of a user give is the role of the user, unless it is an owner or operator. The
 * caller of `replace`, `patch` and `remove` has locked the account before it read the group.
 */
export function createScimGroups({ now, newId }: ScimGroupDeps) {
  async function find(tx: Executor, accountId: string, id: string): Promise<ScimGroup> {
    const [group] = await findScimGroups(tx, accountId, [id])
    if (group === undefined) throw new ScimFault(404, `There is no group ${toTypeId('grp', id)}.`)
    return group
  }

  async function write(tx: Executor, accountId: string, before: Pick<ScimGroup, 'id' | 'members'>, body: unknown): Promise<ScimGroup> {
    const { name, externalId, members } = readGroup(body)
    if (!(await putScimGroup(tx, accountId, { id: before.id, name, externalId }, now())))
      throw new ScimFault(409, `A group with the name ${name} exists.`, 'uniqueness')
    if ((await putScimMembers(tx, accountId, before.id, members)) < members.length)
      throw new ScimFault(400, 'A member is no user of the account.', 'invalidValue')
    await applyRoles(tx, accountId, [...members, ...before.members.map(({ id }) => id)])
    return await find(tx, accountId, before.id)
  }

  const changeOf = (event: string, id: string): ScimChange => ({ event: `scim.group_${event}`, target: toTypeId('grp', id), details: {} })

  async function change(tx: Executor, accountId: string, before: ScimGroup, body: unknown): Promise<Changed> {
    return { group: await write(tx, accountId, before, body), change: changeOf('updated', before.id) }
  }

  return {
    find,

    async create(tx: Executor, accountId: string, body: unknown): Promise<Changed> {
      await lockAccount(tx, accountId)
      if ((await countScimGroups(tx, accountId)) >= groupsMax)
        throw new ScimFault(400, `The account has ${groupsMax} groups, which is the limit. Assign fewer to Millrace.`)
      const id = newId()
      return { group: await write(tx, accountId, { id, members: [] }, body), change: changeOf('created', id) }
    },

    replace: change,

    patch: (tx: Executor, accountId: string, before: ScimGroup, body: unknown): Promise<Changed> =>
      change(tx, accountId, before, applyPatch(groupResource(before, ''), body, groupAttributes)),

    async remove(tx: Executor, accountId: string, group: ScimGroup): Promise<ScimChange> {
      await deleteScimGroup(tx, accountId, group.id)
      const members = group.members.map(({ id }) => id)
      await applyRoles(tx, accountId, members)
      return changeOf('deleted', group.id)
    },
  }
}

/** Gives users the role of their groups; every member of a group unless users are named. Without a mapping, roles stay as they are. */
export async function applyRoles(tx: Executor, accountId: string, userIds?: readonly string[]): Promise<void> {
  const settings = await findScimSettings(tx, accountId)
  if (settings === undefined || Object.keys(settings.roles).length === 0) return
  const ids = [...new Set(userIds ?? (await findGrouped(tx, accountId)))].toSorted()
  const names = await findGroupNames(tx, accountId, ids)
  for (const id of ids) await setProvisionedRole(tx, accountId, id, roleOf(settings, { groups: names.get(id) ?? [] }))
}
