import type { JsonValue, PersonalDataKind } from '@millrace/contract'
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

/** Examines every text in a JSON value, the names of members excepted. Numbers of at least 7 digits are examined as texts. */
export function inspectJson(value: JsonValue, options: DetectOptions, charactersMax = charactersMaxDefault): Inspected {
  const counts: Record<string, number> = {}
  const pointers: string[] = []
  let characters = 0
  let isTruncated = false

  function examine(text: string, pointer: string): string {
    if (characters + text.length > charactersMax) {
      isTruncated = true
      return text
    }
    characters += text.length
    const findings = detect(text, options)
    if (findings.length === 0) return text
    for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1
    if (pointers.length < pointersMax) pointers.push(pointer)
    return redactText(text, findings, { operatorOf: () => 'replace' })
  }

  function walk(part: JsonValue, pointer: string): JsonValue {
    if (typeof part === 'string') return examine(part, pointer)
    if (typeof part === 'number' && Number.isSafeInteger(part) && Math.abs(part) >= 1_000_000) {
      const text = String(part)
      const seen = examine(text, pointer)
      return seen === text ? part : seen
    }
    if (Array.isArray(part)) return part.map((item, index) => walk(item, `${pointer}/${index}`))
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([name, item]) => [
        name,
        walk(item ?? null, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
      ]),
    )
  }

  const redacted = walk(value, '')
  return { counts, characters, pointers, redacted, isTruncated }
}

/** Options for the kinds of a policy: an empty list means all. */
export function kindsOf(kinds: readonly PersonalDataKind[]): Pick<DetectOptions, 'kinds'> {
  return kinds.length === 0 ? {} : { kinds: new Set(kinds) }
}
