import { scan, type Machine } from '#src/compile/machine.ts'

/** The host searches in the product of both lengths at worst; up to this much of it is quicker than anything else. */
const productMax = 10_000_000

function isPlain(text: string, wanted: string): boolean {
  return text.length * wanted.length <= productMax
}

/** Where a text starts inside another, in UTF-16 units, overlapping places included; nothing for an empty one. */
export function findText(machine: Machine, text: string, wanted: string): number[] {
  scan(machine, text.length + wanted.length)
  const found: number[] = []
  if (wanted === '') return found
  if (!isPlain(text, wanted)) return findLong(text, wanted)
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) found.push(at)
  return found
}

/** Whether a text is inside another. */
export function includesText(machine: Machine, text: string, wanted: string): boolean {
  scan(machine, text.length + wanted.length)
  return isPlain(text, wanted) ? text.includes(wanted) : findLong(text, wanted).length > 0
}

/** The parts between the places of a separator that is not empty. */
export function splitAt(text: string, separator: string): string[] {
  if (isPlain(text, separator)) return text.split(separator)
  const parts: string[] = []
  let from = 0
  for (const at of findLong(text, separator)) {
    if (at < from) continue
    parts.push(text.slice(from, at))
    from = at + separator.length
  }
  return [...parts, text.slice(from)]
}

/** The search of Knuth, Morris and Pratt: linear whatever the texts are. */
function findLong(text: string, wanted: string): number[] {
  const fallback = new Int32Array(wanted.length + 1)
  let matched = 0
  for (let at = 1; at < wanted.length; at++) {
    while (matched > 0 && wanted.charCodeAt(at) !== wanted.charCodeAt(matched)) matched = fallback[matched] ?? 0
    if (wanted.charCodeAt(at) === wanted.charCodeAt(matched)) matched++
    fallback[at + 1] = matched
  }
  const found: number[] = []
  matched = 0
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && (matched === wanted.length || text.charCodeAt(at) !== wanted.charCodeAt(matched)))
      matched = fallback[matched] ?? 0
    if (text.charCodeAt(at) === wanted.charCodeAt(matched)) matched++
    if (matched === wanted.length) found.push(at + 1 - wanted.length)
  }
  return found
}
