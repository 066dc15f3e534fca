import type { TriggerWatch } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import type * as z from 'zod'

/** What a trigger watches, as it is stored. */
export type WatchSettings = z.output<typeof TriggerWatch>
export type WatchOf<S extends WatchSettings['source']> = Extract<WatchSettings, { readonly source: S }>

/** How far a watch is, beside its position. */
export interface WatchState {
  readonly lookAt: Date | undefined
  readonly lookedAt: Date | undefined
  readonly failures: number
  readonly problem: string | undefined
}

/** Something new. The id names it among all items of the watch: the same id starts once. */
export interface WatchItem {
  readonly id: string
  readonly data: Json
}

/** What a look has found. */
export interface Looked {
  /** In the order in which they start. */
  readonly items: readonly WatchItem[]
  /** Up to which all items are known, once those are. */
  readonly position: Json
  /** Whether there is more than one look takes. */
  readonly more: boolean
}

/** One look at a source. */
export interface Look<S extends WatchSettings = WatchSettings> {
  readonly accountId: string
  readonly settings: S
  /** Undefined at the first look. */
  readonly position: Json | undefined
  readonly signal: AbortSignal
}

/** Watches of one account: each may occupy a connection to a slow server. */
export const watchesMax = 200
/** Items that one look takes; the next look follows at once if there are more. */
export const itemsMax = 50
