import { notify } from '#modules/notifications/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Connection } from './model.ts'

/** Pauses what depends on a connection of that name. @returns how many triggers wait for it now. */
export type PauseDependents = (tx: Tx, accountId: string, lost: { readonly name: string; readonly reason: string }) => Promise<number>

/** Pauses what used a connection that was deleted or renamed, and notifies the admins if anything did. @returns how many triggers wait for it now. */
export async function loseConnection(
  tx: Tx,
  accountId: string,
  { id, name }: Pick<Connection, 'id' | 'name'>,
  { pause, renamed }: { readonly pause: PauseDependents; readonly renamed: string | undefined },
): Promise<number> {
  const what = renamed === undefined ? 'was deleted' : `was renamed to "${renamed}"`
  const reason = `The connection "${name}" ${what}. The trigger continues when a connection with the name "${name}" works.`
  const paused = await pause(tx, accountId, { name, reason })
  if (paused === 0) return 0
  await notify(tx, {
    accountId,
    roles: ['owner', 'admin'],
    kind: 'connection.failed',
    title: `The connection ${name} ${what}, and ${pausedText(paused)}`,
    body: `The workflows of these triggers use the connection ${name}. Create a connection with the name ${name}, or change the workflows: then the triggers continue or can be enabled again.`,
    link: renamed === undefined ? '/connections' : `/connections/${toTypeId('conn', id)}`,
    groupKey: `connection ${id}`,
  })
  return paused
}

export function pausedText(triggers: number): string {
  return triggers === 1 ? '1 trigger is paused' : `${triggers} triggers are paused`
}
