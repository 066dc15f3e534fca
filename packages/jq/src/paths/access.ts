import { growOfRun, measureOfRun, roundOfRun, scanOfRun, type Measured } from '#src/compile/machine.ts'
import { describe, raise } from '#src/values/describe.ts'
import { equals } from '#src/values/compare.ts'
import { isArray, isNumeric, isObject, orNull, own, toNumber, typeOf, type ObjectValue, type Value } from '#src/values/value.ts'

export const sliceFault = 'Array/string slice indices must be integers'

/** Half-open range inside a sequence of `length` elements. */
export interface Range {
  readonly from: number
  readonly to: number
}

function bound(value: Value | undefined, missing: number): number | undefined {
  if (value === null) return missing
  return value !== undefined && isNumeric(value) ? toNumber(value) : undefined
}

/** The bounds of a slice: negative ones count from the end, fractions widen the slice. */
export function sliceRange(from: Value | undefined, to: Value | undefined, length: number): Range {
  let start = bound(from, 0)
  let end = bound(to, length)
  if (start === undefined || end === undefined) return raise(sliceFault)
  if (Number.isNaN(start)) start = 0
  if (Number.isNaN(end)) end = length
  if (start < 0) start += length
  if (end < 0) end += length
  const first = Math.min(Math.max(Math.floor(start), 0), length)
  const last = Math.min(Math.max(Math.ceil(end), first), length)
  return { from: first, to: last }
}

/** Code units up to that many code points, from the place that was looked for last or from the beginning. */
function unitOffset(measured: Measured, points: number): number {
  const { text } = measured
  const continues = points >= measured.atPoint
  let units = continues ? measured.atUnit : 0
  const walked = continues ? points - measured.atPoint : points
  scanOfRun(walked >> 1)
  for (let left = walked; left > 0 && units < text.length; left--) units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
  measured.atPoint = points
  measured.atUnit = units
  return units
}

const surrogate = /[\ud800-\udfff]/
/** Characters of a text are counted in lots of so many. */
const pointsLot = 65_536

export function codePointLength(text: string): number {
  return measureOfRun(text, countPoints).points
}

function countPoints(text: string): number {
  if (text.length <= pointsLot && !surrogate.test(text)) return text.length
  let length = text.length
  for (let at = 1; at < text.length; at++) {
    if (at % pointsLot === 0) scanOfRun(pointsLot)
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) length--
  }
  return length
}

export function sliceText(text: string, from: Value | undefined, to: Value | undefined): string {
  const measured = measureOfRun(text, countPoints)
  const { points: length } = measured
  const range = sliceRange(from, to, length)
  // As many code points as units: none of them takes two.
  if (length === text.length) return text.slice(range.from, range.to)
  return text.slice(unitOffset(measured, range.from), unitOffset(measured, range.to))
}

export function slice(target: Value, from: Value, to: Value): Value {
  if (target === null) return null
  if (isArray(target)) {
    const range = sliceRange(from, to, target.length)
    if (range.from === 0 && range.to === target.length) return target
    growOfRun(range.to - range.from)
    return target.slice(range.from, range.to)
  }
  return typeof target === 'string' ? sliceText(target, from, to) : cannotIndex(target, { start: from, end: to })
}

export function cannotIndex(target: Value, key: Value): never {
  return raise(`Cannot index ${typeOf(target)} with ${describe(key)}`)
}

/** Starts of `part` inside `list`, overlapping ones included. */
export function indexesOf(list: readonly Value[], part: readonly Value[], countMax = Number.POSITIVE_INFINITY): number[] {
  const found: number[] = []
  const [head] = part
  if (head === undefined) return found
  // Most searches are for one text or number, which need no general comparison.
  const plain = typeof head === 'string' || typeof head === 'boolean' || head === null
  for (let at = 0; at + part.length <= list.length && found.length < countMax; at++) {
    roundOfRun(at, list.length, 4)
    const item = list[at]
    if (plain ? item !== head : !equals(orNull(item), head)) continue
    if (part.length === 1 || startsAt(list, part, at)) found.push(at)
  }
  growOfRun(found.length)
  return found
}

function startsAt(list: readonly Value[], part: readonly Value[], at: number): boolean {
  const different = part.findIndex((wanted, offset) => !equals(orNull(list[at + offset]), wanted))
  scanOfRun(4 * (different < 0 ? part.length : different))
  return different < 0
}

function element(list: readonly Value[], key: number | bigint): Value {
  const position = Math.trunc(toNumber(key))
  return orNull(list[position < 0 ? position + list.length : position])
}

/** `.[key]` of anything by anything; what is missing is null. */
export function index(target: Value, key: Value): Value {
  if (typeof key === 'string') {
    if (target === null || target === undefined) return null
    return isObject(target) ? orNull(own(target, key)) : cannotIndex(target, key)
  }
  if (isArray(target)) {
    if (isNumeric(key)) return element(target, key)
    if (isArray(key)) return indexesOf(target, key)
  }
  if (isObject(key) && (isArray(target) || typeof target === 'string')) return sliceBy(target, key)
  if ((target === null || target === undefined) && (isNumeric(key) || isObject(key))) return null
  return cannotIndex(target, key)
}

function sliceBy(target: readonly Value[] | string, key: ObjectValue): Value {
  const from = own(key, 'start')
  const to = own(key, 'end')
  if (from === undefined || to === undefined) return raise(sliceFault)
  return slice(target, from, to)
}

/** Whether `key` exists in an object or array. */
export function has(target: Value, key: Value): boolean {
  if (isObject(target) && typeof key === 'string') return Object.hasOwn(target, key)
  if (isArray(target) && isNumeric(key)) {
    const position = Math.trunc(toNumber(key))
    return position >= 0 && position < target.length
  }
  if (target === null) return false
  return raise(`Cannot check whether ${typeOf(target)} has a ${typeOf(key)} key`)
}

export function cannotIterate(target: Value): never {
  return raise(`Cannot iterate over ${target === null ? 'null (null)' : describe(target)}`)
}
