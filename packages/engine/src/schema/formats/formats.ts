import { compilePattern, PatternError } from '#schema/pattern.ts'
import type { Run } from '#schema/run.ts'
import { isDate, isDateTime, isDuration, isTime } from './dates.ts'
import { isEmail, isHostname, isIpv4, isIpv6 } from './hosts.ts'
import { isJsonPointer, isJsonPointerFragment, isRelativeJsonPointer } from './pointers.ts'
import { isUri, isUriReference, isUriTemplate, isUrl } from './uris.ts'

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/**
 * The formats that are asserted; others are annotations. Each takes time in proportion to the text, or refuses it by its length, and is charged for
 * before. `url` is not a format of JSON Schema, but is in common use.
 */
export const formats: ReadonlyMap<string, (text: string, run: Run) => boolean> = new Map<string, (text: string, run: Run) => boolean>([
  ['date', isDate],
  ['time', isTime],
  ['date-time', isDateTime],
  ['duration', isDuration],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['uri', isUri],
  ['uri-reference', isUriReference],
  ['uri-template', isUriTemplate],
  ['url', isUrl],
  ['uuid', (text) => text.length === 36 && uuid.test(text)],
  ['json-pointer', isJsonPointer],
  ['json-pointer-uri-fragment', isJsonPointerFragment],
  ['relative-json-pointer', isRelativeJsonPointer],
  ['regex', isPattern],
])

/** A regular expression that could be used as a `pattern`. */
function isPattern(text: string, run: Run): boolean {
  try {
    compilePattern(text, (steps) => run.charge(steps))
    return true
  } catch (error) {
    if (error instanceof PatternError) return false
    throw error
  }
}
