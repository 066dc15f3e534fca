import type { Json } from '#src/json.ts'
import { type ParseLimits, problemsMax } from './limits.ts'
import { childPointer } from './pointer.ts'
import type { PositionNode } from './positions.ts'
import {
  type Problem,
  type ReadResult,
  duplicateKeyProblem,
  forbiddenKeyProblem,
  forbiddenKeys,
  StoppedReading,
  tooDeep,
  tooManyMembers,
  tooManyValues,
} from './read-result.ts'
import { type SourceText, createSourceText } from './source-text.ts'
import { keyProblem, valueProblem } from './text-problems.ts'

/**
 * Reads JSON (RFC 8259) with the position of every key and value.
 *
 * JSON.parse reports neither positions nor duplicate keys, so this is a recursive descent of its own; strings and numbers are still given
 * to JSON.parse. It stops at the first syntax error and collects everything else.
 */
export function parseJson(text: string, limits: ParseLimits): ReadResult {
  const reader: Reader = { text, source: createSourceText(text), limits, at: 0, values: 0, depth: 0, problems: [] }
  try {
    skipSpace(reader)
    const entry = readValue(reader, '', {})
    skipSpace(reader)
    if (reader.at < text.length) fail(reader, 'Nothing may follow the document.', 'Remove what comes after it.')
    return { value: entry.value, root: entry.node, problems: reader.problems }
  } catch (error) {
    if (!(error instanceof StoppedReading)) throw error
    return { root: { start: 0, end: text.length }, problems: [...reader.problems, error.problem] }
  }
}

interface Reader {
  readonly text: string
  readonly source: SourceText
  readonly limits: ParseLimits
  readonly problems: Problem[]
  at: number
  values: number
  depth: number
}

interface Entry {
  readonly value: Json
  readonly node: PositionNode
}

type KeySpan = Pick<PositionNode, 'keyStart' | 'keyEnd'>

function fail(reader: Reader, message: string, hint: string): never {
  const end = Math.min(reader.at + 1, reader.text.length)
  throw new StoppedReading({ code: 'syntax_error', pointer: '', start: reader.at, end, message, hint })
}

type LimitProblem = (limits: ParseLimits, pointer: string, start: number, end: number) => Problem

function beyond(reader: Reader, problemOf: LimitProblem, pointer: string): never {
  throw new StoppedReading(problemOf(reader.limits, pointer, reader.at, Math.min(reader.at + 1, reader.text.length)))
}

function report(reader: Reader, problem: Problem | undefined): void {
  if (problem !== undefined && reader.problems.length < problemsMax) reader.problems.push(problem)
}

function skipSpace(reader: Reader): void {
  for (;;) {
    const unit = reader.text.charCodeAt(reader.at)
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return
    reader.at++
  }
}

function readValue(reader: Reader, pointer: string, key: KeySpan): Entry {
  if (++reader.values > reader.limits.valuesMax) beyond(reader, tooManyValues, pointer)
  const first = reader.text[reader.at]
  if (first === '{' || first === '[') return readNested(reader, pointer, key, first)
  const start = reader.at
  if (first === '"') {
    const value = readString(reader)
    report(reader, valueProblem({ text: value, pointer, start, end: reader.at }, reader.limits))
    return { value, node: { start, end: reader.at, style: 'double', ...key } }
  }
  return { value: readScalar(reader), node: { start, end: reader.at, ...key } }
}

function readNested(reader: Reader, pointer: string, key: KeySpan, first: '{' | '['): Entry {
  if (++reader.depth > reader.limits.depthMax) beyond(reader, tooDeep, pointer)
  const start = reader.at++
  const children = new Map<string, PositionNode>()
  const value = first === '{' ? readObject(reader, pointer, children) : readArray(reader, pointer, children)
  reader.depth--
  return { value, node: { start, end: reader.at, children, ...key } }
}

function readObject(reader: Reader, pointer: string, children: Map<string, PositionNode>): Json {
  const object: Record<string, Json> = {}
  let members = 0
  skipSpace(reader)
  if (takeIf(reader, '}')) return object
  do {
    skipSpace(reader)
    if (++members > reader.limits.membersMax) beyond(reader, tooManyMembers, pointer)
    const { key, child, keyStart, keyEnd } = readKey(reader, pointer)
    const entry = readValue(reader, child, { keyStart, keyEnd })
    if (forbiddenKeys.has(key)) {
      report(reader, forbiddenKeyProblem(key, child, keyStart, keyEnd))
      continue
    }
    const earlier = children.get(key)
    if (earlier === undefined) {
      object[key] = entry.value
      children.set(key, entry.node)
    } else {
      report(reader, duplicateKeyProblem(key, child, keyStart, keyEnd, reader.source.at(earlier.keyStart ?? earlier.start).line))
    }
  } while (hasNext(reader, '}'))
  return object
}

/** A key and the colon behind it. */
function readKey(reader: Reader, pointer: string) {
  const keyStart = reader.at
  if (reader.text[keyStart] !== '"') fail(reader, 'A key in double quotes is expected here.', 'Write "name": before the value.')
  const key = readString(reader)
  const keyEnd = reader.at
  const child = childPointer(pointer, key)
  const unusable = keyProblem({ text: key, pointer: child, start: keyStart, end: keyEnd }, reader.limits)
  // Diagnostics about values below such a key would contain it in their pointers.
  if (unusable !== undefined) throw new StoppedReading(unusable)
  skipSpace(reader)
  if (!takeIf(reader, ':')) fail(reader, `A colon is expected after the key "${key}".`, `Write "${key}": followed by its value.`)
  skipSpace(reader)
  return { key, child, keyStart, keyEnd }
}

function readArray(reader: Reader, pointer: string, children: Map<string, PositionNode>): Json {
  const list: Json[] = []
  skipSpace(reader)
  if (takeIf(reader, ']')) return list
  do {
    skipSpace(reader)
    if (list.length === reader.limits.membersMax) beyond(reader, tooManyMembers, pointer)
    const entry = readValue(reader, childPointer(pointer, list.length), {})
    children.set(String(list.length), entry.node)
    list.push(entry.value)
  } while (hasNext(reader, ']'))
  return list
}

/** True after a comma, false after the closing bracket; anything else is an error. */
function hasNext(reader: Reader, close: '}' | ']'): boolean {
  skipSpace(reader)
  if (takeIf(reader, close)) return false
  if (takeIf(reader, ',')) return true
  const next = reader.text[reader.at]
  const found = next === undefined ? 'the end of the text' : next === '"' ? 'a double quote' : `"${next}"`
  return fail(reader, `A comma or "${close}" is expected here, not ${found}.`, `Separate entries with commas and close with "${close}".`)
}

function takeIf(reader: Reader, unit: string): boolean {
  if (reader.text[reader.at] !== unit) return false
  reader.at++
  return true
}

function readString(reader: Reader): string {
  const start = reader.at
  for (let at = start + 1; at < reader.text.length; at++) {
    const unit = reader.text.charCodeAt(at)
    if (unit === 0x22) {
      reader.at = at + 1
      const parsed = decode(reader.text.slice(start, at + 1))
      if (typeof parsed === 'string') return parsed
      reader.at = start
      const hint = 'Known are \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits.'
      return fail(reader, 'The string has an escape that JSON does not know.', hint)
    }
    if (unit === 0x5c) at++
    else if (unit < 0x20) {
      reader.at = at
      const hint = 'Write \\n (or \\u and four hexadecimal digits) instead.'
      return fail(reader, 'A string may not contain a line break or another control character.', hint)
    }
  }
  return fail(reader, 'The string is not closed.', 'Add the closing double quote.')
}

const scalarPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y

function readScalar(reader: Reader): Json {
  scalarPattern.lastIndex = reader.at
  const match = scalarPattern.exec(reader.text)
  if (match === null) {
    const found =
      reader.at < reader.text.length ? JSON.stringify(/^\S{1,20}/.exec(reader.text.slice(reader.at, reader.at + 20))?.[0] ?? '') : 'the end'
    const hint = 'Strings need double quotes; other values are numbers, true, false, null, [ … ] and { … }.'
    return fail(reader, `A value is expected here, not ${found}.`, hint)
  }
  const value = decode(match[0])
  if (typeof value === 'number' && !Number.isFinite(value))
    return fail(reader, `The number ${match[0].slice(0, 40)} is too large.`, 'Use a string for it.')
  reader.at += match[0].length
  // Minus zero is not preserved when it is written and read again.
  return value === 0 ? 0 : (value ?? null)
}

/** Undefined when JSON.parse refuses the token. */
function decode(token: string): string | number | boolean | null | undefined {
  try {
    const value: unknown = JSON.parse(token)
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null ? value : undefined
  } catch {
    return undefined
  }
}
