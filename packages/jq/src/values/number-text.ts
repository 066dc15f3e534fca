import { parseNumber } from './number.ts'

const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** As in `-infinity`. */
const longestWord = 9

/** Parses the text of a number as jq does; `undefined` for any other text. */
export function parseNumberText(text: string): number | bigint | undefined {
  if (plainNumber.test(text)) return parseNumber(text.startsWith('+') ? text.slice(1) : text)
  if (text.length > longestWord) return undefined
  if (/^[+-]?nan$/i.test(text)) return Number.NaN
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  return undefined
}
