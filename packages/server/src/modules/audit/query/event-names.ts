import type { JsonValue } from '@millrace/contract'
import type { Tx } from '#platform/db/database.ts'
import type { NameSource } from '#platform/db/name-source.ts'
import type { LoggedEvent } from './query-store.ts'
import { listRenames } from './rename-store.ts'

/**
 * The names of what events name by id. The log has ids alone, so that a name can be changed or erased while the log still verifies: names are looked up
 * when the log is read.
 */
export interface EventNames {
  /** Ids of what a text names. */
  find(tx: Tx, accountId: string, text: string): Promise<readonly string[]>
  /** Names of all that the events name and that has a name. */
  of(tx: Tx, accountId: string, events: readonly NamingEvent[]): Promise<KnownNames>
}

export interface KnownNames {
  /** By id. */
  readonly names: Readonly<Record<string, string>>
  /** Ids of those that are gone: their names are the ones that they had. */
  readonly former: readonly string[]
  /** By the id of an event, the names that things which it names had then and do not have today. */
  readonly earlier: ReadonlyMap<string, Readonly<Record<string, string>>>
}

type NamingEvent = Pick<LoggedEvent, 'id' | 'at' | 'actor' | 'target' | 'details'>

export function createEventNames(sources: readonly NameSource[]): EventNames {
  return {
    async find(tx, accountId, text) {
      const found: string[] = []
      for (const source of sources) found.push(...(await source.find(tx, accountId, text)))
      return found
    },
    async of(tx, accountId, events) {
      const ids = [...new Set(events.flatMap(idsIn))]
      const names: Record<string, string> = {}
      const former = new Set<string>()
      for (const source of sources) {
        const own = ids.filter((id) => id.startsWith(`${source.prefix}_`))
        if (own.length === 0) continue
        for (const [id, name] of await source.of(tx, accountId, own)) {
          if (source.isFormer === true) former.add(id)
          else former.delete(id)
          names[id] = name
        }
      }
      return { names, former: [...former], earlier: await earlierNames(tx, accountId, events, names) }
    },
  }
}

/**
 * The names at the time of each event: of a thing, the one before the first rename that is not before the event. A rename has it beside its event, where
 * it can be erased. Of a user who is gone no name is shown.
 */
async function earlierNames(
  tx: Tx,
  accountId: string,
  events: readonly NamingEvent[],
  names: KnownNames['names'],
): Promise<KnownNames['earlier']> {
  const ids = [...new Set(events.flatMap(idsIn))].filter(
    (id) => !id.startsWith('exec_') && (!id.startsWith('usr_') || Object.hasOwn(names, id)),
  )
  const oldest = events.map(({ at }) => at).toSorted()[0]
  const earlier = new Map<string, Readonly<Record<string, string>>>()
  if (oldest === undefined || ids.length === 0) return earlier
  const renames = await listRenames(tx, accountId, { ids, from: oldest })
  for (const event of events) {
    const had = idsIn(event).flatMap((id) => {
      const next = renames.get(id)?.find((rename) => rename.at > event.at || (rename.at === event.at && rename.eventId >= event.id))
      return next === undefined || next.before === names[id] ? [] : [[id, next.before] as const]
    })
    if (had.length > 0) earlier.set(event.id, Object.fromEntries(had))
  }
  return earlier
}

const idPattern = /^[a-z]{2,5}_[0-9a-hjkmnp-tv-z]{26}$/

function idsIn({ actor, target, details }: NamingEvent): readonly string[] {
  const members: readonly JsonValue[] = typeof details === 'object' && details !== null ? Object.values(details).flat() : []
  // An event of an execution that names its workflow is read by the name of that.
  const named = members.some((value) => typeof value === 'string' && value.startsWith('wf_')) && target?.startsWith('exec_') === true
  return [actor.slice(actor.indexOf(':') + 1), named ? null : target, ...members].filter(
    (text): text is string => typeof text === 'string' && idPattern.test(text),
  )
}
