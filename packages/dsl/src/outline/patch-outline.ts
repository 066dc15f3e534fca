import { readTree } from '#src/tree/read-tree.ts'
import { columnOf, isFirstInLine, lineStart, nextLine } from '#src/tree/text-lines.ts'
import { type Building, listOf } from './build-entry.ts'
import type { TextDifference } from './change-of.ts'
import type { Outline, OutlineEntry, OutlineList, OutlinePlace, OutlineState } from './outline.ts'
import { sharedEntry } from './share.ts'

/**
 * The outline after a change inside one task of a list in block style, by reading that task alone; undefined when all has to be read.
 *
 * The lines of such a task can be read on their own when its dash begins a line, no anchor or directive connects it with the rest, and it reads as
 * exactly one item again.
 */
export function patchOutline({ text: before, outline }: OutlineState, text: string, change: TextDifference): Outline | undefined {
  if (outline.brokenAt !== undefined || connected.test(text)) return undefined
  const found = taskAround(before, outline, change)
  if (found === undefined) return undefined
  const { path, place, end } = found
  const delta = change.afterEnd - change.beforeEnd
  const made = readAlone(text, place, end + delta, path)
  if (made === undefined) return undefined
  const old = entryAt(outline, path)
  if (old === undefined || made.entry.path !== path) return undefined
  const entry = sharedEntry(old, { ...made.entry, ...(old.comment === undefined ? {} : { comment: old.comment }) })
  const places = movedPlaces(outline, made.places, { path, delta, from: change.beforeEnd, end: place.end })
  return entry === old ? { ...outline, places } : { ...replaced(outline, path, entry), places }
}

/** What may be an anchor, an alias or a directive; a `*` between spaces is an operator of an expression. */
const connected = /(?:^|[\s[{,:-])[&*][^\s,[\]{}]|^(?:---|\.\.\.|%)/m

interface Found {
  readonly path: string
  readonly place: OutlinePlace
  /** The end of the lines of the task. */
  readonly end: number
}

/** The innermost task of a list whose lines contain the whole change, behind its dash. */
function taskAround(text: string, outline: Outline, change: TextDifference): Found | undefined {
  let found: Found | undefined
  for (const [path, place] of outline.places) {
    if (place.list === undefined || place.start >= change.from || place.end < change.beforeEnd - 1) continue
    if (found !== undefined && place.start < found.place.start) continue
    if (!isFirstInLine(text, place.start) || text[place.start] !== '-') continue
    const end = text[place.end - 1] === '\n' ? place.end : nextLine(text, place.end)
    if (change.from < end && change.beforeEnd < end) found = { path, place, end }
  }
  return found
}

function readAlone(text: string, place: OutlinePlace, end: number, path: string) {
  const begin = lineStart(text, place.start)
  // A comment in the last line would be above the next task.
  if (/(?:^|\n)[ \t]*#[^\n]*\n?$/.test(text.slice(begin, end))) return undefined
  const tree = readTree(text.slice(begin, end), 'yaml')
  const root = tree.root
  if (tree.problems.length > 0 || root?.kind !== 'list' || root.items.length !== 1 || root.style !== 'block') return undefined
  const first = root.items[0]
  if (first === undefined || first.start !== columnOf(text, place.start)) return undefined
  const places = new Map<string, OutlinePlace>()
  const building: Building = { text: text.slice(begin, end), syntax: 'yaml', places }
  const list = path.slice(0, path.lastIndexOf('/'))
  const { entries } = listOf(building, root, { path: list, pointer: place.list ?? '', slot: 'do', branches: false })
  const entry = entries[0]
  if (entry === undefined) return undefined
  return { entry, places: shiftedPlaces(places, place, begin) }
}

/** Places of the task on its own, at their offsets and pointers in the whole text. */
function shiftedPlaces(places: ReadonlyMap<string, OutlinePlace>, place: OutlinePlace, begin: number): Map<string, OutlinePlace> {
  const { list = '', index = 0 } = place
  const moved = (pointer: string): string => `${list}/${index}${pointer.slice(`${list}/0`.length)}`
  const entries = [...places].map(([path, inner]): [string, OutlinePlace] => {
    const below = inner.list !== undefined && inner.list !== list
    return [
      path,
      {
        ...inner,
        ...(below ? { list: moved(inner.list) } : { index }),
        pointer: moved(inner.pointer),
        start: inner.start + begin,
        end: inner.end + begin,
        nameStart: inner.nameStart + begin,
        nameEnd: inner.nameEnd + begin,
      },
    ]
  })
  return new Map(entries)
}

interface Moved {
  readonly path: string
  readonly delta: number
  /** The end of the change in the text before. */
  readonly from: number
  /** The end of the task in the text before. */
  readonly end: number
}

function movedPlaces(outline: Outline, made: ReadonlyMap<string, OutlinePlace>, { path, delta, from, end: ended }: Moved) {
  const places = new Map<string, OutlinePlace>()
  const newEnd = made.get(path)?.end ?? ended + delta
  const move = (offset: number): number => (offset >= from ? offset + delta : offset)
  for (const [key, place] of outline.places) {
    if (key === path) for (const [inner, at] of made) places.set(inner, at)
    if (key === path || key.startsWith(`${path}/`)) continue
    const start = move(place.start)
    // A task around it that ended with it still does.
    const end = place.end === ended ? newEnd : move(place.end)
    places.set(
      key,
      start === place.start && end === place.end
        ? place
        : { ...place, start, end, nameStart: move(place.nameStart), nameEnd: move(place.nameEnd) },
    )
  }
  return places
}

/** The outline with another entry at a path; its ancestors are made anew. */
function replaced(outline: Outline, path: string, entry: OutlineEntry): Outline {
  return {
    ...outline,
    main: inList(outline.main, path, entry),
    functions: outline.functions.map((other) => inEntry(other, path, entry)),
    extensions: outline.extensions.map((list) => inList(list, path, entry)),
  }
}

function inList(list: OutlineList, path: string, entry: OutlineEntry): OutlineList {
  if (!path.startsWith(`${list.path}/`)) return list
  return { ...list, entries: list.entries.map((other) => inEntry(other, path, entry)) }
}

function inEntry(other: OutlineEntry, path: string, entry: OutlineEntry): OutlineEntry {
  if (other.path === path) return entry
  if (!path.startsWith(`${other.path}/`)) return other
  return { ...other, slots: other.slots.map((list) => inList(list, path, entry)) }
}

function entryAt(outline: Outline, path: string): OutlineEntry | undefined {
  const open: OutlineEntry[] = [...outline.main.entries, ...outline.functions, ...outline.extensions.flatMap(({ entries }) => entries)]
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (entry.path === path) return entry
    if (path.startsWith(`${entry.path}/`)) open.push(...entry.slots.flatMap(({ entries }) => entries))
  }
  return undefined
}
