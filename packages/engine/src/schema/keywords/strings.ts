import { formats } from '#schema/formats/formats.ts'
import type { Keyword } from '#schema/rule.ts'
import type { Run } from '#schema/run.ts'
import { plural, quoted } from '#schema/fault-wording.ts'
import { countOf, textOf } from './given.ts'

/** Code units that are counted between two charges. */
const CHUNK = 16_384

export const stringKeywords: Readonly<Record<string, Keyword>> = {
  minLength: (given, node, { string }) => {
    const min = countOf(given, node, 'minLength')
    const accepts = (text: string, run: Run) => text.length >= min && (text.length >= 2 * min || lengthOf(text, run) >= min)
    string.push(
      (text, run, _seen, at) =>
        accepts(text, run) || (at !== undefined && run.report(at, `must have at least ${plural(min, 'character')}`)),
    )
  },
  maxLength: (given, node, { string }) => {
    const max = countOf(given, node, 'maxLength')
    const accepts = (text: string, run: Run) => text.length <= max || (text.length <= 2 * max && lengthOf(text, run) <= max)
    string.push(
      (text, run, _seen, at) => accepts(text, run) || (at !== undefined && run.report(at, `must have at most ${plural(max, 'character')}`)),
    )
  },
  pattern: (given, node, { string }) => {
    const source = textOf(given, node, 'pattern')
    const place = node.placeOf('pattern')
    // The words that editors show for a pattern, too; it is no keyword of JSON Schema.
    const words = node.member('patternErrorMessage')
    const detail = typeof words === 'string' && words !== '' ? words : `must match the pattern ${quoted(source)}`
    string.push((text, run, _seen, at) => run.matches(run.pattern(source, place), text) || (at !== undefined && run.report(at, detail)))
  },
  format: (given, node, { string }) => {
    const name = textOf(given, node, 'format')
    const accepts = formats.get(name)
    if (accepts === undefined) return
    string.push((text, run, _seen, at) => {
      run.charge(1 + (text.length >> 4))
      return accepts(text, run) || (at !== undefined && run.report(at, `must be of the format ${quoted(name)}`))
    })
  },
}

/** How many code points a text has. */
function lengthOf(text: string, run: Run): number {
  let { length } = text
  for (let start = 0; start < text.length; start += CHUNK) {
    const end = Math.min(start + CHUNK, text.length)
    run.charge((end - start) >> 5)
    for (let index = start; index < end; index++) {
      if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) length -= 1
    }
  }
  return length
}
