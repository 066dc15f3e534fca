import { setImmediate } from 'node:timers/promises'
import type { JsonValue, PersonalDataKind } from '@millrace/contract'
import { escapePointer } from '#platform/json-pointer.ts'
import { detect, type DetectOptions } from './detect/detector.ts'
import { redactText } from './redact.ts'

export interface Inspected {
  readonly counts: Readonly<Record<string, number>>
  readonly characters: number
  /** JSON Pointers of the values with findings; the first ones. */
  readonly pointers: readonly string[]
  /** With placeholders in place of the findings. */
  readonly redacted: JsonValue
  /** Whether the value was too large to be examined as a whole. */
  readonly isTruncated: boolean
}

const charactersMaxDefault = 200_000
const pointersMax = 20
/** Counted for each text in addition: many short texts take longer than a long one. */
const charactersPerText = 4
const turnMs = 10

/**
 * Examines every text in a JSON value, the names of members excepted. Numbers of at least 7 digits are examined as texts. Other work of the process
 * has its turns meanwhile.
 */
export async function inspectJson(value: JsonValue, options: DetectOptions, charactersMax = charactersMaxDefault): Promise<Inspected> {
  const counts: Record<string, number> = {}
  const pointers: string[] = []
  let characters = 0
  let spent = 0
  let isTruncated = false
  let since = performance.now()

  async function examine(text: string, pointer: string): Promise<string> {
    if (text === '') return text
    if (spent + text.length > charactersMax) {
      isTruncated = true
      return text
    }
    characters += text.length
    spent += text.length + charactersPerText
    if (performance.now() - since > turnMs) {
      await setImmediate()
      since = performance.now()
    }
    const findings = detect(text, options)
    if (findings.length === 0) return text
    for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1
    if (pointers.length < pointersMax) pointers.push(pointer)
    return redactText(text, findings, { operatorOf: () => 'replace' })
  }

  async function walk(part: JsonValue, pointer: string): Promise<JsonValue> {
    if (typeof part === 'string') return examine(part, pointer)
    if (typeof part === 'number' && Number.isSafeInteger(part) && Math.abs(part) >= 1_000_000) {
      const text = String(part)
      const seen = await examine(text, pointer)
      return seen === text ? part : seen
    }
    if (typeof part !== 'object' || part === null) return part
    const entries: (readonly [string, JsonValue])[] = []
    for (const [name, item] of Object.entries(part)) entries.push([name, await walk(item ?? null, `${pointer}/${escapePointer(name)}`)])
    return Array.isArray(part) ? entries.map(([, item]) => item) : Object.fromEntries(entries)
  }

  const redacted = await walk(value, '')
  return { counts, characters, pointers, redacted, isTruncated }
}

/** Options for the kinds of a policy: an empty list means all. */
export function kindsOf(kinds: readonly PersonalDataKind[]): Pick<DetectOptions, 'kinds'> {
  return kinds.length === 0 ? {} : { kinds: new Set(kinds) }
}
