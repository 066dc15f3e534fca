import { grow, work, type Machine } from '#src/compile/machine.ts'
import { codePointLength } from '#src/paths/access.ts'
import { compilePattern, readFlags, type Flags } from '#src/regex/engine.ts'
import type { CompiledPattern } from '#src/regex/pattern-cache.ts'
import { WatchedText, watchedInput } from '#src/regex/watched-text.ts'
import { describe, raise } from '#src/values/describe.ts'
import { isArray, orNull, truthy, typeOf, type Value } from '#src/values/value.ts'
import { defined, value, type NativeTable } from './native.ts'

/** Turns offsets in UTF-16 into code points, walking the text once as long as the offsets grow. */
function createRuler(text: string): (offset: number) => number {
  if (codePointLength(text) === text.length) return (offset) => offset
  let units = 0
  let points = 0
  return (offset) => {
    if (offset < units) return codePointLength(text.slice(0, offset))
    points += codePointLength(text.slice(units, offset))
    units = offset
    return points
  }
}

/** The cost of starting a search: some instructions, and a slot for each group. */
const instructionsPerStep = 64
/** Up to this product of text and pattern a single search is too short to be watched. */
const unwatchedMax = 2_048
/** With groups, each look at an instruction copies the places of this many groups for as long as the look itself takes. */
const groupsPerLook = 2
/** The size of the description of a match or of a group. */
const matchSize = 16

interface Found {
  readonly start: number
  readonly end: number
  readonly captures: readonly { readonly start: number; readonly end: number }[]
}

/** All matches, or the first; an empty match moves on by one character and counts unless the flags say otherwise. */
function findAll(machine: Machine, text: string, { engine, names }: CompiledPattern, flags: Flags): Found[] {
  const found: Found[] = []
  const size = engine.programSize()
  const watched = new WatchedText(machine, text)
  const matcher = engine.matcher(watchedInput(watched))
  let from = 0
  while (from <= text.length) {
    work(machine, 4 + Math.floor(size / instructionsPerStep))
    watched.begin(from, size)
    if (!matcher.find(from)) break
    const start = matcher.start()
    const end = matcher.end()
    // The places of groups are found in a search of their own, from the beginning of the match.
    work(machine, names.length)
    watched.begin(start, size * (1 + names.length / groupsPerLook))
    if (end > start || !flags.notEmpty) {
      found.push({ start, end, captures: names.map((_name, at) => ({ start: matcher.start(at + 1), end: matcher.end(at + 1) })) })
    }
    if (!flags.global) break
    from = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1)
  }
  return found
}

function matches(machine: Machine, text: string, { engine }: CompiledPattern): boolean {
  const size = engine.programSize()
  work(machine, 4 + Math.floor(size / instructionsPerStep))
  if (text.length * size <= unwatchedMax) {
    work(machine, (text.length * size) >> 4)
    return engine.matcher(text).find(0)
  }
  const watched = new WatchedText(machine, text)
  watched.begin(0, size)
  return engine.matcher(watchedInput(watched)).find(0)
}

function match(machine: Machine, input: Value, pattern: Value, mode: Value, testOnly: Value): Value {
  if (typeof input !== 'string') return raise(`${describe(input)} cannot be matched, as it is not a string`)
  if (typeof pattern !== 'string') return raise(`${describe(pattern)} is not a string`)
  if (mode !== null && typeof mode !== 'string') return raise(`${describe(mode)} is not a string`)
  const flags = readFlags(mode ?? '')
  const compiled = compilePattern(machine, pattern, flags)
  if (truthy(testOnly) && !flags.notEmpty) return matches(machine, input, compiled)
  const found = findAll(machine, input, compiled, flags)
  if (truthy(testOnly)) return found.length > 0
  grow(machine, found.length * (1 + compiled.names.length) * matchSize)
  const ruler = createRuler(input)
  return found.map((entry) => describeMatch(input, entry, compiled.names, ruler))
}

function describeMatch(
  text: string,
  { start, end, captures }: Found,
  names: readonly (string | null)[],
  ruler: (offset: number) => number,
): Value {
  const string = text.slice(start, end)
  const offset = ruler(start)
  return {
    offset,
    length: codePointLength(string),
    string,
    captures: captures.map((capture, at) => {
      const name = names[at] ?? null
      // A group that took no part has no place; jq gives it the offset -1 and no text.
      if (capture.start < 0) return { offset: -1, string: null, length: 0, name }
      const captured = text.slice(capture.start, capture.end)
      const before = codePointLength(text.slice(start, capture.start))
      if (captured === '') return { offset: offset + before, string: '', length: 0, name }
      return { offset: offset + before, length: codePointLength(captured), string: captured, name }
    }),
  }
}

/** The argument of `match($re)` and its like: a pattern, or an array of a pattern and flags. */
function patternAndFlags(_machine: Machine, _input: Value, given: Value): Value {
  if (typeof given === 'string') return [given, null]
  if (isArray(given) && given.length > 1) return [orNull(given[0]), orNull(given[1])]
  if (isArray(given) && given.length > 0) return [orNull(given[0]), null]
  return raise(`${typeOf(given)} not a string or array`)
}

/** Regular expressions, in time linear in the text whatever the pattern. */
export const regexNatives: NativeTable = {
  '_match/3': value(match),
  '_regex/1': defined(patternAndFlags),
}
