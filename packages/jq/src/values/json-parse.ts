import { raise } from './describe.ts'
import { readJson } from './json-reader.ts'
import type { Value } from './value.ts'

const bigInteger = /\d{16}/
const surrogateEscape = /\\u[dD][89a-fA-F]/
/** Below this many characters no text can nest too deeply. */
const shallowLength = 10_000

/**
 * Reads one JSON text as jq does. The host's parser is used wherever its result is the same: no number that a double cannot represent, no
 * surrogate written as an escape, no depth to speak of.
 * @throws JqError with jq's message
 */
export function parseJson(text: string): Value {
  if (text.length <= shallowLength && !bigInteger.test(text) && !surrogateEscape.test(text)) {
    const { stackTraceLimit } = Error
    // Texts that are no JSON are common, and where the host's reader fails is of no interest.
    Error.stackTraceLimit = 0
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse gives JSON and nothing else.
      return JSON.parse(text) as Value
    } catch {
      // The careful reader below knows what jq allows besides, and what it says about the rest.
    } finally {
      Error.stackTraceLimit = stackTraceLimit
    }
  }
  const result = readJson(text)
  return 'fault' in result ? raise(`${result.fault} (while parsing '${text}')`) : result.value
}
