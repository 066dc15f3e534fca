import type { InvalidPart, JsonValue } from '@millrace/contract'
import { escapePointer } from '#platform/json-pointer.ts'

/** Markup that a careless reader would run, and characters that make a text look like another one. */
const hostile: readonly (readonly [RegExp, string])[] = [
  [/<[\s/]*(?:script|iframe|object|embed|style|svg|form|meta|link|base)\b/i, 'Contains HTML that could run. Write Markdown without it.'],
  [/\b(?:javascript|vbscript)\s*:|\bdata\s*:\s*text\/html/i, 'Contains an address that runs code.'],
  [/[\u202A-\u202E\u2066-\u2069]/, 'Contains characters that change the direction of text invisibly.'],
  // oxlint-disable-next-line no-control-regex -- These are the characters to be refused.
  [/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/, 'Contains control characters.'],
]

/** The texts of a JSON value that could harm its readers. */
export function hostileParts(value: JsonValue, pointer = ''): InvalidPart[] {
  if (typeof value === 'string') return hostile.filter(([pattern]) => pattern.test(value)).map(([, detail]) => ({ pointer, detail }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => {
    const at = `${pointer}/${escapePointer(key)}`
    return [...hostileParts(key, at), ...hostileParts(member, at)]
  })
}
