import { createHash } from 'node:crypto'
import { isObject, itemsOf, type Json, membersOf, textOf } from '@millrace/engine'
import { itemsMax, type Look, type Looked, type WatchItem } from './model.ts'

/** Digests of what is known that a position keeps. */
const seenMax = 10_000

/** A short name for a text of any length; 96 bits, so that no two items of a source share one. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

/**
 * What is new in a source that has no order: the position is the set of what was seen.
 * @param present everything in the source, in the order in which it starts.
 */
export function unseen({ position, settings }: Pick<Look, 'position' | 'settings'>, present: readonly WatchItem[]): Looked {
  const digested = present.map((item) => ({ item, digest: digestOf(item.id) }))
  if (position === undefined && settings.first === 'new')
    return { items: [], position: { seen: digested.map(({ digest }) => digest).slice(0, seenMax) }, more: false }
  const before = seenIn(position)
  const known = new Set(before)
  const fresh = digested.filter(({ digest }) => !known.has(digest))
  const taken = fresh.slice(0, itemsMax)
  if (taken.length === 0) return { items: [], position: position ?? { seen: [] }, more: false }
  const there = new Set(digested.map(({ digest }) => digest))
  // What is still there stays known, however much has come and gone.
  const seen = [
    ...taken.map(({ digest }) => digest),
    ...before.filter((digest) => there.has(digest)),
    ...before.filter((digest) => !there.has(digest)),
  ]
  return { items: taken.map(({ item }) => item), position: { seen: seen.slice(0, seenMax) }, more: fresh.length > taken.length }
}

function seenIn(position: Json | undefined): readonly string[] {
  if (position === undefined || !isObject(position)) return []
  return itemsOf(membersOf(position)['seen']).map((digest) => textOf(digest) ?? '')
}
