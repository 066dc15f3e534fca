import type { Outline, OutlineEntry } from '@millrace/dsl/outline'
import type { Reading } from '#src/document/reading.ts'

/** An entry on its way from a worker: one that the other side has already is its number alone. */
export type SentEntry = number | { readonly id: number; readonly entry: OutlineEntry; readonly slots: readonly SentList[] }
type SentList = readonly [list: Outline['main'], entries: readonly SentEntry[]]

/** A reading on its way from a worker. */
export interface SentReading {
  readonly outline: Omit<Outline, 'main'>
  readonly main: SentList
  readonly json: Reading['json']
}

/** Packs readings, so that what did not change since the last one is not sent again. */
export function createPacker(): (reading: Reading) => SentReading {
  const known = new WeakMap<OutlineEntry, number>()
  let last = 0
  const packList = (list: Outline['main']): SentList => [{ ...list, entries: [] }, list.entries.map(packEntry)]
  const packEntry = (entry: OutlineEntry): SentEntry => {
    const before = known.get(entry)
    if (before !== undefined) return before
    last += 1
    known.set(entry, last)
    return { id: last, entry: { ...entry, slots: [] }, slots: entry.slots.map(packList) }
  }
  return ({ outline: { main, ...outline }, json }) => ({ outline, main: packList(main), json })
}

/** Unpacks readings in the order in which they were packed. An entry that did not change is the same object as before. */
export function createUnpacker(): (sent: SentReading) => Reading {
  let known = new Map<number, OutlineEntry>()
  return ({ outline, main, json }) => {
    const next = new Map<number, OutlineEntry>()
    const keep = (id: number, entry: OutlineEntry): OutlineEntry => {
      next.set(id, entry)
      return entry
    }
    const unpackList = ([list, entries]: SentList): Outline['main'] => ({ ...list, entries: entries.map(unpackEntry) })
    const unpackEntry = (sent: SentEntry): OutlineEntry => {
      if (typeof sent !== 'number') return keep(sent.id, { ...sent.entry, slots: sent.slots.map(unpackList) })
      const before = known.get(sent)
      if (before === undefined) throw new Error('a part of an outline is missing')
      return before
    }
    const reading = { outline: { ...outline, main: unpackList(main) }, json }
    for (const [id, entry] of known) next.set(id, entry)
    known = pruned(next, reading.outline)
    return reading
  }
}

/** Only what the last outline contains can be referred to by the next one. */
function pruned(known: ReadonlyMap<number, OutlineEntry>, { main }: Outline): Map<number, OutlineEntry> {
  const present = new Set<OutlineEntry>()
  const visit = (list: Outline['main']) => {
    for (const entry of list.entries) {
      present.add(entry)
      entry.slots.forEach(visit)
    }
  }
  visit(main)
  return new Map([...known].filter(([, entry]) => present.has(entry)))
}
