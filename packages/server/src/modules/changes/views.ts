import type { IdPrefix } from '@millrace/contract'
import { toTypeId } from '#platform/ids.ts'
import type { Change } from './model.ts'

/** The data of an event: the time of the change, and its members with ids in their external form. */
export function changeView({ at, kind, data }: Change): Readonly<Record<string, string | number | null>> {
  const members = Object.entries(data).map(([name, value]) => {
    const prefix = name === 'id' ? prefixOf(kind) : prefixes[name]
    return [name, prefix === undefined || typeof value !== 'string' ? value : toTypeId(prefix, value)] as const
  })
  return { at: at.toISOString(), ...Object.fromEntries(members) }
}

const prefixes: Readonly<Record<string, IdPrefix>> = { executionId: 'exec', workflowId: 'wf' }

function prefixOf(kind: Change['kind']): IdPrefix {
  if (kind.startsWith('execution.')) return 'exec'
  if (kind.startsWith('approval.')) return 'apr'
  return kind === 'trigger.paused' ? 'trg' : 'ntf'
}
