import { scan, work, type Machine } from '#src/compile/machine.ts'

/** The host's search looks at up to so many characters again for each character of the text; longer texts are searched for otherwise. */
const plainLength = 64
/** Characters are counted in lots of so many. */
const lot = 4_096
/** Continuing after a match takes about as long as reading so many characters. */
const foundWeight = 8
/** Up to this length of both texts together the host's search is faster. */
const productMax = 16_384

function isPlain(text: string, wanted: string): boolean {
  return wanted.length <= plainLength || text.length * wanted.length <= productMax
}

/** Visits the occurrences of a text in another, from left to right, overlapping ones included, until the visitor stops it. */
function eachPlace(machine: Machine, text: string, wanted: string, from: number, take: (at: number) => boolean): void {
  if (!isPlain(text, wanted)) return eachLongPlace(machine, text, wanted, from, take)
  let read = 0
  for (let searched = from; ; ) {
    const at = text.indexOf(wanted, searched)
    read += foundWeight + wanted.length + (at < 0 ? text.length : at) - searched
    if (read >= lot || at < 0) {
      scan(machine, read)
      read = 0
    }
    if (at < 0 || take(at)) return
    searched = at + 1
  }
}

/** The offsets of a text in another, in UTF-16 units, overlapping ones included; none for an empty text. */
export function findText(machine: Machine, text: string, wanted: string): number[] {
  const found: number[] = []
  if (wanted === '') return found
  eachPlace(machine, text, wanted, 0, (at) => {
    found.push(at)
    return false
  })
  return found
}

/** The first offset of a text in another at or after an offset; -1 if it does not occur. */
export function firstPlace(machine: Machine, text: string, wanted: string, from: number): number {
  let found = -1
  eachPlace(machine, text, wanted, from, (at) => {
    found = at
    return true
  })
  return found
}

/** Whether a text is inside another. */
export function includesText(machine: Machine, text: string, wanted: string): boolean {
  return firstPlace(machine, text, wanted, 0) >= 0
}

/** The parts between the places of a separator that is not empty. */
export function splitAt(machine: Machine, text: string, separator: string): string[] {
  const parts: string[] = []
  let from = 0
  eachPlace(machine, text, separator, 0, (at) => {
    if (at < from) return false
    parts.push(text.slice(from, at))
    from = at + separator.length
    return false
  })
  parts.push(text.slice(from))
  return parts
}

/** The search of Knuth, Morris and Pratt: linear whatever the texts are. */
function eachLongPlace(machine: Machine, text: string, wanted: string, from: number, take: (at: number) => boolean): void {
  scan(machine, wanted.length)
  const fallback = new Int32Array(wanted.length + 1)
  let matched = 0
  for (let at = 1; at < wanted.length; at++) {
    if (at % lot === 0) work(machine, lot >> 5)
    while (matched > 0 && wanted.charCodeAt(at) !== wanted.charCodeAt(matched)) matched = fallback[matched] ?? 0
    if (wanted.charCodeAt(at) === wanted.charCodeAt(matched)) matched++
    fallback[at + 1] = matched
  }
  matched = 0
  for (let at = from; at < text.length; at++) {
    if (at % lot === 0) scan(machine, lot)
    while (matched > 0 && (matched === wanted.length || text.charCodeAt(at) !== wanted.charCodeAt(matched))) {
      matched = fallback[matched] ?? 0
    }
    if (text.charCodeAt(at) === wanted.charCodeAt(matched)) matched++
    if (matched === wanted.length && take(at + 1 - wanted.length)) return
  }
}
