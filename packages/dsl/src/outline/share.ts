import type { OutlineEntry, OutlineList } from './outline.ts'

/** The list before when nothing in it has changed, else the new one with the unchanged entries of the one before. */
export function sharedList(before: OutlineList | undefined, after: OutlineList): OutlineList {
  if (before === undefined) return after
  const entries = sharedEntries(before.entries, after.entries)
  if (entries === before.entries && before.path === after.path && before.branches === after.branches) return before
  return { ...after, entries }
}

export function sharedEntries(before: readonly OutlineEntry[], after: readonly OutlineEntry[]): readonly OutlineEntry[] {
  const known = new Map(before.map((entry) => [entry.path, entry]))
  const entries = after.map((entry) => sharedEntry(known.get(entry.path), entry))
  return entries.length === before.length && entries.every((entry, index) => entry === before[index]) ? before : entries
}

export function sharedEntry(before: OutlineEntry | undefined, after: OutlineEntry): OutlineEntry {
  if (before === undefined || before === after) return after
  const slots = after.slots.map((list, index) => sharedList(before.slots[index], list))
  const sameSlots = slots.length === before.slots.length && slots.every((list, index) => list === before.slots[index])
  const same = sameSlots && after.kind === before.kind && after.comment === before.comment && sameJson(before.data, after.data)
  // Name, path, directives and badges follow from path and data.
  return same && before.path === after.path && before.name === after.name ? before : { ...after, slots }
}

function sameJson(one: OutlineEntry['data'], other: OutlineEntry['data']): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
