import { casesOf } from './letter-case.ts'

/** What is looked for, with what takes its place. */
export interface Needle {
  /** A regular expression that PostgreSQL and JavaScript understand alike, so that the one finds what the other one replaces. */
  readonly pattern: string
  readonly regexp: RegExp
  /** The most characters of a text that matches. */
  readonly length: number
  readonly token: string
}

/** The forms in which values may be stored, the longest first. The token of a value is the same in all of its forms. */
export function needlesOf(values: readonly string[], erasureId: string): readonly Needle[] {
  const mark = erasureId.replaceAll('-', '').slice(-8)
  const found = new Map<string, Needle>()
  for (const [index, given] of values.entries()) {
    const token = `[erased:${mark}-${index + 1}]`
    const value = given.toWellFormed()
    // As a whole, `straße` has another length in capital letters.
    for (const form of [value, value.toUpperCase(), value.toLowerCase()].flatMap(formsOf)) {
      const pattern = form.map(patternOf).join('')
      const length = form.reduce((sum, texts) => sum + Math.max(...texts.map((text) => text.length)), 0)
      if (!found.has(pattern)) found.set(pattern, { pattern, regexp: new RegExp(pattern, 'gu'), length, token })
    }
  }
  return [...found.values()].toSorted((a, b) => b.length - a.length)
}

/** A text as characters, each as the texts that may stand for it: in any case, also percent-encoded and in JSON. */
type Form = readonly (readonly string[])[]

function formsOf(value: string): readonly Form[] {
  const plain = Array.from(value, casesOf)
  const encoded = plain.map((texts) => texts.flatMap((text) => encodingsOf(encodeURIComponent(text))))
  const withPlus = encoded.map((texts) => texts.map((text) => (text === '%20' ? '+' : text)))
  return [plain, encoded, withPlus, Array.from(JSON.stringify(value).slice(1, -1), casesOf)]
}

/** The digits of an encoded character are hexadecimal, in either case. */
const encodingsOf = (text: string): readonly string[] => (text.startsWith('%') ? [text, text.toLowerCase()] : [text])

function patternOf(texts: readonly string[]): string {
  const all = [...new Set(texts)].map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
  const [first = '', ...more] = all
  if (more.length === 0) return first
  return all.every((text) => Array.from(text).length === 1) ? `[${all.join('')}]` : `(?:${all.join('|')})`
}

/** PostgreSQL compiles a longer pattern for more than a second. */
const patternMax = 20_000

/** The patterns of needles as few regular expressions, each of which PostgreSQL looks for in one walk over a text. */
export function patternsOf(needles: readonly Pick<Needle, 'pattern'>[]): readonly string[] {
  const patterns: string[] = []
  for (const { pattern } of needles) {
    const last = patterns.at(-1)
    if (last === undefined || last.length + pattern.length > patternMax) patterns.push(pattern)
    else patterns[patterns.length - 1] = `${last}|${pattern}`
  }
  return patterns
}

/** Whether a text contains a needle. */
export const isIn = (text: string, needles: readonly Needle[]): boolean => needles.some(({ regexp }) => text.search(regexp) >= 0)

/** Replaces needles in a text, in any case. */
export function replaceIn(text: string, needles: readonly Needle[]): string {
  return needles.reduce((result, { regexp, token }) => result.replaceAll(regexp, token), text)
}

/** Replaces needles in the text of a JSON document, which stays JSON. */
export function replaceInJson(text: string, needles: readonly Needle[]): string {
  const replaced = replaceIn(text, needles)
  if (isJson(replaced)) return replaced
  return text.replaceAll(jsonValues, (value) => {
    const plain = value.startsWith('"') ? String(JSON.parse(value)) : value
    const changed = replaceIn(plain, needles)
    // A number that was found becomes a text.
    return changed === plain ? value : JSON.stringify(changed)
  })
}

/** The texts, names and numbers of a JSON document. */
const jsonValues = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** What a person is found by, as it was sealed. */
export function readValues(plain: Buffer): readonly string[] {
  const values: unknown = JSON.parse(plain.toString('utf8'))
  return Array.isArray(values) ? values.map(String) : []
}
