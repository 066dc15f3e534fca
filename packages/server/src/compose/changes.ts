import { changes, streamHeartbeatMs } from '@millrace/contract'
import {
  changeHandlers,
  createChangeFeed,
  createChangeStreams,
  deleteChangesOf,
  deleteOldChanges,
  findChanged,
  readableMs,
  readChanges,
  watchAccount,
} from '#modules/changes/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

const everyMs = 250
const renewMs = 5 * 60_000
/** Changes are kept a little longer than streams continue from them. */
const keptMs = readableMs + 5 * 60_000
const rowsMax = 5_000

/** The stream of what happens in an account. */
export function composeChanges({ database, eventStreams, system: { now } }: FeatureParts): Feature {
  const db = database.system
  const watch = (accountId: string) => watchAccount(db, accountId, readableMs)
  const feed = createChangeFeed({
    findChanged: (accountIds, from) => findChanged(db, accountIds, from),
    renew: watch,
    everyMs,
    renewMs,
    now,
  })
  const streams = createChangeStreams({
    eventStreams,
    feed,
    watch,
    read: (accountId, filter) => readChanges(db, accountId, filter),
    now,
    heartbeatMs: streamHeartbeatMs,
  })
  return {
    groups: { changes: served(changes, changeHandlers(streams)) },
    maintenance: [{ name: 'account-changes', run: () => deleteOldChanges(db, new Date(now() - keptMs), rowsMax) }],
    purge: deleteChangesOf,
  }
}
