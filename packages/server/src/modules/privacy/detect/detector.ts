import { findAddresses } from './addresses.ts'
import { type CustomRule, findCustom } from './custom-rules.ts'
import { findEntities, isPlainWord } from './entities.ts'
import type { Finding, Recognizer } from './finding.ts'
import { fold } from './lists/places.ts'
import { findNationalIds } from './national-ids.ts'
import { findPatterns } from './patterns.ts'
import { findPhones } from './phones.ts'
import { resolveOverlaps } from './overlap.ts'
import { tokenize } from './tokens.ts'
import type { PersonalDataKind } from '@millrace/contract'

export interface DetectOptions {
  /** All kinds unless given. */
  readonly kinds?: ReadonlySet<PersonalDataKind>
  /** The least score; 0.4 unless given. */
  readonly minScore?: number
  /** Texts that are never personal data, in any case. */
  readonly allow?: readonly string[]
  /** Texts that always are, in any case. */
  readonly deny?: readonly string[]
  readonly rules?: readonly CustomRule[]
}

export const minScoreDefault = 0.4

/** Each with the kinds that it finds: the others need not run for a policy that names its kinds. */
const recognizers: readonly { readonly kinds: readonly PersonalDataKind[]; readonly find: Recognizer }[] = [
  { kinds: ['email', 'url', 'ip_address', 'mac_address', 'credit_card', 'iban', 'crypto_address', 'date'], find: findPatterns },
  { kinds: ['national_id'], find: findNationalIds },
  { kinds: ['phone'], find: findPhones },
  { kinds: ['person', 'organization', 'location'], find: (text) => findEntities(text, tokenize(text)) },
  { kinds: ['location'], find: (text) => findAddresses(text, isPlain) },
]

function isWanted({ kinds }: (typeof recognizers)[number], wanted: DetectOptions['kinds']): boolean {
  return wanted === undefined || kinds.some((kind) => wanted.has(kind))
}

/** Finds personal data in a text. The findings do not overlap and are in order. */
export function detect(
  text: string,
  { kinds, minScore = minScoreDefault, allow = [], deny = [], rules = [] }: DetectOptions = {},
): readonly Finding[] {
  const allowed = new Set(allow.map((item) => fold(item.trim())))
  const found = [
    ...recognizers.flatMap((recognizer) => (isWanted(recognizer, kinds) ? recognizer.find(text) : [])),
    ...findCustom(text, rules),
    ...findDenied(text, deny),
  ]
  const usable = found.filter(
    ({ kind, score, start, end }) =>
      score >= minScore && (kinds === undefined || kinds.has(kind)) && (allowed.size === 0 || !allowed.has(fold(text.slice(start, end)))),
  )
  return resolveOverlaps(text, usable)
}

/** Whether a text has nothing but everyday words. */
function isPlain(text: string): boolean {
  const words = text.match(/\p{L}+/gu) ?? []
  return words.length > 0 && !/\d/.test(text) && words.every((word) => isPlainWord({ folded: fold(word) }))
}

function findDenied(text: string, deny: readonly string[]): Finding[] {
  if (deny.length === 0) return []
  const lower = text.toLowerCase()
  const place = placesIn(text, lower)
  return deny.flatMap((item) => {
    const found: Finding[] = []
    const wanted = item.toLowerCase()
    if (wanted === '') return found
    for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + wanted.length))
      found.push({ kind: 'custom', rule: 'deny_list', start: place.start(at), end: place.end(at + wanted.length), score: 1 })
    return found
  })
}

/** Where the places of a text in lower case are in the text: some letters, such as the İ of Turkish, have another length in lower case. */
function placesIn(text: string, lower: string) {
  if (lower.length === text.length) return { start: (at: number) => at, end: (at: number) => at }
  const starts: number[] = []
  const ends: number[] = []
  let at = 0
  for (const character of text) {
    for (let unit = 0; unit < character.toLowerCase().length; unit++) {
      starts.push(at)
      ends.push(at + character.length)
    }
    at += character.length
  }
  return { start: (place: number) => starts[place] ?? text.length, end: (place: number) => ends[place - 1] ?? text.length }
}
