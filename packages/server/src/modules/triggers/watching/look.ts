import { type EffectCall, itemsOf, type Json, type JsonObject } from '@millrace/engine'
import type { ConnectionInUse, ConnectionKind, UseConnection } from '#modules/connections/index.ts'
import type { GuardedAddress } from '#platform/net/guarded-address.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import type { Look, Looked } from './model.ts'

export interface LookDeps {
  readonly http: Pick<GuardedFetch, 'request'>
  readonly use: UseConnection
  readonly address: GuardedAddress
  /** Reads a feed in another thread: `text` and `itemsMax` become its items. */
  readonly readFeed: (call: Pick<EffectCall, 'accountId' | 'signal'>, args: JsonObject) => Promise<Json>
  /** Reads a mail in another thread: `sourceBase64` becomes its parts. */
  readonly readMail: (call: Pick<EffectCall, 'accountId' | 'signal'>, args: JsonObject) => Promise<Json>
  /** A failure of the network or a service as a WorkflowError; any other error unchanged. */
  readonly serviceError: (error: unknown) => unknown
}

export type LookAt = (look: Look) => Promise<Looked>

/** Looks at what a trigger watches. Throws WorkflowError for what its owner can mend. */
export function createLook(deps: LookDeps): LookAt {
  return async (look) => {
    try {
      return await lookAt(deps, look)
    } catch (error) {
      look.signal.throwIfAborted()
      throw deps.serviceError(error)
    }
  }
}

/** Each source is loaded with its first watch: most installations have none of most kinds. */
async function lookAt(deps: LookDeps, { settings, ...look }: Look): Promise<Looked> {
  switch (settings.source) {
    case 'feed':
      return (await import('./sources/feed.ts')).lookAtFeed(deps, { ...look, settings })
    case 'mailbox':
      return (await import('./sources/mailbox.ts')).lookAtMailbox(deps, { ...look, settings })
    case 'rows':
      return (await import('./sources/rows.ts')).lookAtRows(deps, { ...look, settings })
    case 'objects':
      return (await import('./sources/objects.ts')).lookAtObjects(deps, { ...look, settings })
  }
}

/** Looks with a connection of the account, whose secrets are masked in the items. */
export async function withConnection(
  { use, serviceError }: Pick<LookDeps, 'use' | 'serviceError'>,
  { accountId, signal }: Pick<Look, 'accountId' | 'signal'>,
  { name, kinds }: { readonly name: string; readonly kinds: readonly ConnectionKind[] },
  perform: (connection: ConnectionInUse) => Promise<Looked>,
): Promise<Looked> {
  const call = { accountId, executionId: '', arguments: { connection: name }, input: null, secrets: {}, idempotencyKey: '', signal }
  let looked: Looked = { items: [], position: null, more: false }
  // The position stays outside of what is masked: a secret such as 4711 must not change the id of a row.
  const masked = await use(call, kinds, async (connection) => {
    looked = await perform(connection).catch((error: unknown) => {
      signal.throwIfAborted()
      // Here, because only errors of workflows keep their words when secrets are masked.
      throw serviceError(error)
    })
    return looked.items.map(({ data }) => data)
  })
  const data = itemsOf(masked)
  return { ...looked, items: looked.items.map((item, index) => ({ ...item, data: data[index] ?? null })) }
}
