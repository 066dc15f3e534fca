import { arabicNames, ambiguousNames, givenNames } from './lists/given-names.ts'
import { familyEnding, familyNames } from './lists/family-names.ts'
import { ambiguousPlaces, fold, placeNames } from './lists/places.ts'
import {
  commonWords,
  companyForms,
  nameWords,
  organizationEnds,
  organizationWords,
  particles,
  personVerbs,
  placeParticles,
  placePrepositions,
  titles,
} from './lists/words.ts'
import type { Finding } from './finding.ts'
import type { Token } from './tokens.ts'

/** A sequence of capitalized words, with the evidence for what it names. */
interface Sequence {
  readonly tokens: readonly Token[]
  readonly before: Token | undefined
  readonly after: Token | undefined
  /** Index of the first token, and of the one behind the last. */
  readonly from: number
  readonly to: number
}

const sequenceMax = 7

interface Places {
  readonly names: ReadonlySet<string>
  readonly wordsMax: number
  readonly firstWords: ReadonlySet<string | undefined>
}

let knownNames: Places | undefined

/** Made at the first text: the names of countries in eleven languages take a twentieth of the time that the server takes to start. */
function places(): Places {
  if (knownNames !== undefined) return knownNames
  const names = placeNames()
  const words = [...names].map((name) => name.split(' '))
  knownNames = { names, wordsMax: Math.max(...words.map(({ length }) => length)), firstWords: new Set(words.map(([first]) => first)) }
  return knownNames
}

/** Persons, places and organizations: by lists of names, the words around them, and the form of names. */
export function findEntities(text: string, tokens: readonly Token[]): Finding[] {
  const found: Finding[] = []
  found.push(...knownPlaces(tokens), ...arabicPersons(tokens), ...lowercasePersons(text, tokens))
  for (const sequence of sequencesOf(tokens)) found.push(...classify(text, sequence))
  return found
}

/** A word of everyday English, with the contractions of it: I'm, they're, don't. */
export function isPlainWord({ folded }: Pick<Token, 'folded'>): boolean {
  return commonWords.has(folded) || (folded.includes("'") && /'(?:m|d|s|t|re|ll|ve)$/.test(folded))
}

function finding(kind: Finding['kind'], rule: string, tokens: readonly Token[], score: number): Finding[] {
  const [first, last] = [tokens[0], tokens.at(-1)]
  return first === undefined || last === undefined ? [] : [{ kind, rule, start: first.start, end: last.end, score }]
}

function knownPlaces(tokens: readonly Token[]): Finding[] {
  const found: Finding[] = []
  const { names, wordsMax, firstWords } = places()
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined || !firstWords.has(token.folded)) continue
    for (let length = Math.min(wordsMax, tokens.length - at); length > 0; length--) {
      const words = tokens.slice(at, at + length)
      if (words.slice(1).some(({ gap }) => gap !== ' ' && gap !== '-')) continue
      const name = words.map(({ folded }) => folded).join(' ')
      if (!names.has(name)) continue
      const score = placeScore(words, tokens[at - 1], tokens[at + length])
      if (score > 0) found.push(...finding('location', 'place', words, score))
      at += length - 1
      break
    }
  }
  return found
}

function placeScore(words: readonly Token[], before: Token | undefined, after: Token | undefined): number {
  const [first] = words
  if (first === undefined) return 0
  const name = first.folded
  const behindPreposition = before !== undefined && placePrepositions.has(before.folded) && first.gap === ' '
  const isLower = !first.isCapital && !first.isArabic
  const isWord =
    words.length === 1 && (commonWords.has(name) || ambiguousPlaces.has(name) || ambiguousNames.has(name) || givenNames.has(name))
  if (isLower)
    return isWord || (words.length === 1 && name.length < 5)
      ? behindPreposition && !commonWords.has(name) && name.length > 3
        ? 0.5
        : 0
      : 0.6
  if (isWord) return behindPreposition ? 0.75 : commonWords.has(name) ? 0.2 : 0.4
  // Part of a longer name: Paris Hilton, Bank of England.
  if (after?.isCapital === true && after.gap === ' ' && !commonWords.has(after.folded)) return 0.62
  return behindPreposition ? 0.9 : 0.75
}

/** The longest runs of capitalized words, with the small words that names contain. */
function* sequencesOf(tokens: readonly Token[]): Generator<Sequence> {
  for (let at = 0; at < tokens.length; ) {
    const first = tokens[at]
    if (first === undefined || !first.isCapital || first.isArabic) {
      at++
      continue
    }
    let end = at + 1
    while (end < tokens.length && end - at < sequenceMax) {
      const next = tokens[end]
      if (next === undefined || !continues(tokens[end - 1], next)) break
      if (next.isCapital) end++
      else if (isInnerWord(next) && leadsToCapital(tokens, end)) end++
      else break
    }
    yield* trimmedSequences(tokens, at, end)
    at = end
  }
}

function continues(previous: Token | undefined, { gap }: Token): boolean {
  if (gap === ' ') return true
  return gap === '. ' && previous !== undefined && (previous.text.length <= 2 || titles.has(previous.folded))
}

function isInnerWord({ folded }: Token): boolean {
  return particles.has(folded) || placeParticles.has(folded)
}

function leadsToCapital(tokens: readonly Token[], at: number): boolean {
  const [next, further] = [tokens[at + 1], tokens[at + 2]]
  if (next === undefined || next.gap !== ' ') return false
  return next.isCapital || (isInnerWord(next) && further?.isCapital === true && further.gap === ' ')
}

/** Without everyday words at both ends, and divided at those inside. */
function* trimmedSequences(tokens: readonly Token[], from: number, to: number): Generator<Sequence> {
  let start = from
  for (let at = from; at <= to; at++) {
    const token = tokens[at]
    const divides = at === to || (token !== undefined && isDivider(token))
    if (!divides) continue
    let end = at
    while (end > start && tokens[end - 1]?.isCapital === false) end--
    while (start < end && tokens[start]?.isCapital === false) start++
    if (end > start) yield { tokens: tokens.slice(start, end), before: tokens[start - 1], after: tokens[end], from: start, to: end }
    start = at + 1
  }
}

function isDivider(token: Token): boolean {
  const { folded } = token
  if (titles.has(folded)) return true
  if (organizationEnds.has(folded) || familyNames.has(folded)) return false
  if (givenNames.has(folded) && !ambiguousNames.has(folded)) return false
  if (ambiguousNames.has(folded)) return token.isFirst && commonWords.has(folded)
  return isPlainWord(token)
}

function classify(text: string, { tokens, before, after }: Sequence): Finding[] {
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (first === undefined || last === undefined) return []
  const context = contextOf(text, first, last, before, after)
  const organization = organizationScore(tokens, context)
  if (organization > 0) return finding('organization', 'organization', tokens, organization)
  const person = personScore(tokens, context)
  const place = unknownPlaceScore(tokens, context)
  return [
    ...(person > 0 ? finding('person', 'person', tokens, person) : []),
    ...(place > 0 ? finding('location', 'place', tokens, place) : []),
  ]
}

interface NameContext {
  readonly hasTitle: boolean
  readonly introducesPerson: boolean
  readonly behindPreposition: boolean
  readonly beforeVerb: boolean
  readonly isGenitive: boolean
  readonly organizationNear: boolean
  /** A line below one that has only a name, as in signatures and address blocks. */
  readonly followsName: boolean
  readonly isLabelled: boolean
  readonly isFirst: boolean
  readonly standsAlone: boolean
}

const introduction =
  /(?:\b(?:name(?:'s| is|d)?(?: on the account)?|i am|i'm|this is|call(?:s|ed)? (?:me|him|her)|known as|contact|signed|by|mrs?|ms|dr|from user|user|customer|patient|tenant|employee|with|sincerely|regards|heiße|bin|je m'appelle|me llamo|mi chiamo|chamo|nazywam się|ik ben|jag heter)[:,]?|(?:^|\n)\s*(?:name|from|to|attn|cc|contact|kunde|nom|nombre)\s*:)\s+$/iu
const organizationBefore =
  /\b(?:(?:address|office|offices|headquarters|ceo|cto|founder|director|employee|customer|shares) of|(?:year|years|job|position|intern|internship) at|work(?:s|ed|ing)? (?:at|for)|employed (?:at|by)|recorded (?:for|by)|invoice from|contract with|meet (?:\w+ )?at|manufacturers?:?|companies:?|subsidiary of|acquired(?: by)?|brainchild of)\s+(?:the )?$/i
const organizationBehind =
  /^,?\s+(?:office|headquarters|shares|stock|invested|announced|acquired|employs|launched|is (?:a|an|the) (?:company|non-?profit|start-?up|501|brand|brainchild|firm|manufacturer|provider)|as (?:the|an?) (?:\w+ )?(?:assistant|intern|manager|engineer|analyst|consultant|director|employee))\b/i
const placeLabel =
  /(?:\b(?:where|location|city|town|country|place|venue|ort|stadt|ville|ciudad|grew up in|originally from|born in|moved (?:here )?(?:to|from)|lives? in|based in|capital of)\s*:?)\s+$/i

function contextOf(text: string, first: Token, last: Token, before: Token | undefined, after: Token | undefined): NameContext {
  const left = text.slice(Math.max(0, first.start - 40), first.start)
  const right = text.slice(last.end, last.end + 24)
  return {
    hasTitle: before !== undefined && titles.has(before.folded) && /^\.? ?$/.test(first.gap),
    introducesPerson: introduction.test(left) || (before !== undefined && nameWords.has(before.folded) && first.gap === ' '),
    behindPreposition: before !== undefined && placePrepositions.has(before.folded) && first.gap === ' ',
    beforeVerb: after !== undefined && personVerbs.has(after.folded) && after.gap === ' ',
    isGenitive: /^['’]s?\b/u.test(right),
    organizationNear:
      (before !== undefined && organizationWords.has(before.folded)) ||
      organizationBefore.test(left) ||
      organizationBehind.test(text.slice(last.end, last.end + 50)),
    followsName: /\n[\s>?]*$/.test(left) && endsWithName(text.slice(Math.max(0, first.start - 80), first.start)),
    isLabelled: placeLabel.test(left),
    isFirst: first.isFirst,
    standsAlone: /(?:^|\n)[\s>?*-]*$/.test(left) && /^[\s,]*(?:\n|$)/.test(right),
  }
}

/** Whether the last line of a text has only a name: a given name and one or two further capitalized words, or a title. */
function endsWithName(text: string): boolean {
  const lines = text.split('\n').map((line) => line.replace(/^[\s>?]+/, '').trim())
  return lines.slice(-3, -1).some((line) => {
    const words = line.replace(/^(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.? /, '').split(' ')
    return words.length >= 2 && words.length <= 4 && givenNames.has(fold(words[0] ?? '')) && words.every((word) => /^\p{Lu}/u.test(word))
  })
}

function organizationScore(tokens: readonly Token[], context: NameContext): number {
  const last = tokens.at(-1)
  if (last === undefined) return 0
  if (tokens.length > 1 && companyForms.has(last.folded)) return 0.9
  if (tokens.length > 1 && organizationEnds.has(last.folded)) return 0.8
  if (
    tokens.length > 2 &&
    /^(?:university|bank|ministry|institute|department|association|federation|council|college|academy|hospital|museum|church)$/.test(
      tokens[0]?.folded ?? '',
    )
  )
    return 0.8
  if (
    tokens.length > 1 &&
    tokens.some(({ text }) => text.includes('-')) &&
    tokens.every(({ folded }) => !givenNames.has(folded)) &&
    context.organizationNear
  )
    return 0.6
  if (context.followsName && context.standsAlone && !isKnownPerson(tokens) && !context.isLabelled) return 0.6
  return context.organizationNear && !isKnownPerson(tokens) && tokens.every((token) => !isPlainWord(token) || tokens.length > 1) ? 0.7 : 0
}

function isGiven({ folded }: Token): boolean {
  return givenNames.has(folded) || folded.split('-').every((part) => givenNames.has(part))
}

function isFamily({ folded, text }: Token): boolean {
  return familyNames.has(folded) || (text.length > 4 && familyEnding.test(text)) || /^(?:mc|mac|o'|al-|el-|d')\p{L}{3}/iu.test(text)
}

function isKnownPerson(tokens: readonly Token[]): boolean {
  return tokens.some((token) => isGiven(token) && !ambiguousNames.has(token.folded))
}

function personScore(tokens: readonly Token[], context: NameContext): number {
  const [first] = tokens
  if (first === undefined || tokens.length > 6) return 0
  const given = tokens.filter(isGiven)
  const family = tokens.filter(isFamily)
  if (context.hasTitle) return 0.9
  const isSure = given.some(({ folded }) => !ambiguousNames.has(folded))
  if (tokens.length > 1) {
    if (isGiven(first)) return isSure || family.length > 0 ? 0.88 : 0.7
    if (given.length > 0 || context.introducesPerson) return 0.75
    if (family.length > 0 && tokens.length <= 3) return 0.66
    if (context.beforeVerb || context.standsAlone) return 0.52
    return tokens.length === 2 && !context.behindPreposition ? 0.45 : 0.3
  }
  return singleNameScore(first, context, isSure)
}

function singleNameScore(token: Token, context: NameContext, isSure: boolean): number {
  const { folded } = token
  const isEveryday = isPlainWord(token)
  if (token.text.length < 2 || (token.isUpper && token.text.length < 5)) return 0
  if (context.introducesPerson && !isEveryday) return 0.72
  if (isSure) return context.behindPreposition && ambiguousPlaces.has(folded) ? 0.5 : 0.78
  if (isGiven(token)) return context.beforeVerb || context.isGenitive ? 0.65 : isEveryday ? 0.3 : 0.5
  if (isEveryday) return 0
  if (isFamily(token)) return 0.6
  if ((context.beforeVerb && !token.isFirst) || context.isGenitive) return 0.5
  return 0.35
}

/** A name behind a preposition that no list contains. */
function unknownPlaceScore(
  tokens: readonly Token[],
  { behindPreposition, introducesPerson, hasTitle, standsAlone, isLabelled }: NameContext,
): number {
  if (hasTitle || introducesPerson) return 0
  const words = tokens.map(({ folded }) => folded).join(' ')
  if (commonWords.has(words) || isKnownPerson(tokens)) return 0
  if (isLabelled) return 0.8
  if (behindPreposition) return 0.68
  const landscape =
    /^(?:san|santa|santo|saint|st|sankt|sao|são|los|las|el|port|porto|puerto|mount|monte|lake|fort|new|bad|villa|el-|ras|umm|wadi|bir|beit|tel|kafr|nizhny|novo)$/
  if (tokens.length > 1 && landscape.test(tokens[0]?.folded ?? '')) return 0.6
  const ending =
    /(?:burg|berg|stadt|dorf|heim|ville|town|ton|ford|ham|shire|land|stan|borg|vik|holm|grad|gorod|abad|pur|pura|nagar|polis|minster|mouth|bury|cester|wick|bridge|port)$/
  if (tokens.length === 1 && words.length > 6 && ending.test(words)) return 0.46
  return standsAlone && tokens.length === 1 ? 0.35 : 0
}

const arabicTitles = new Set(
  'السيد السيدة الدكتور الدكتورة الاستاذ الاستاذة الشيخ الشيخة الامير الاميرة المهندس المهندسة اسمي اسمه اسمها المواطن المواطنة المدعو انا الانسة'.split(
    ' ',
  ),
)
const arabicLinks = new Set('بن بنت ابن ابو ام عبد ال آل بنو'.split(' '))
/** Words that end a name. */
const arabicStops = new Set(
  'في من الى إلى على عن مع هو هي كان كانت قال قالت يعمل تعمل يسكن تسكن و او ثم الذي التي رقم هاتف بريد يعيش تعيش ولد ولدت وقد لقد هذا هذه وصل وصلت'
    .split(' ')
    .map(fold),
)

/** A known given name or a title, with the names that follow; Arabic has no capital letters. */
function arabicPersons(tokens: readonly Token[]): Finding[] {
  const found: Finding[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined || !token.isArabic) continue
    const isTitle = arabicTitles.has(token.folded)
    const start = isTitle ? at + 1 : at
    const known = arabicNames.has(tokens[start]?.folded ?? '') || arabicLinks.has(tokens[start]?.folded ?? '')
    if (!isTitle && !(known && !arabicStops.has(token.folded))) continue
    let end = start
    while (end < tokens.length && end - start < 5 && isArabicNamePart(tokens, start, end)) end++
    const names = tokens.slice(start, end)
    if (names.length === 0 || (isTitle && !known && names.length > 3)) continue
    found.push(...finding('person', 'person.arabic', names, isTitle ? 0.85 : names.length > 1 ? 0.8 : 0.5))
    at = end - 1
  }
  return found
}

function isArabicNamePart(tokens: readonly Token[], start: number, at: number): boolean {
  const token = tokens[at]
  if (token === undefined || !token.isArabic || (at > start && token.gap !== ' ')) return false
  if (arabicStops.has(token.folded) || places().names.has(token.folded)) return false
  if (at === start) return true
  const previous = tokens[at - 1]
  const isLinked = previous !== undefined && arabicLinks.has(previous.folded)
  return (
    isLinked || arabicNames.has(token.folded) || arabicLinks.has(token.folded) || (token.folded.startsWith('ال') && token.folded.length > 4)
  )
}

/** Names without capitals, as in chats: only behind a title, or a given name with a family name. */
function lowercasePersons(text: string, tokens: readonly Token[]): Finding[] {
  const found: Finding[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined || token.isCapital || token.isArabic || token.isNumber || commonWords.has(token.folded)) continue
    const next = tokens[at + 1]
    const follows =
      next !== undefined && next.gap === ' ' && !next.isCapital && !next.isNumber && !commonWords.has(next.folded) && next.text.length > 2
    const previous = tokens[at - 1]
    const titled = previous !== undefined && titles.has(previous.folded) && /^\.? $/.test(token.gap) && previous.folded.length < 10
    const introduced = /\b(?:my name is|i am|i'm|this is|name:|called|call me|hi|hello|dear)\s+$/i.test(
      text.slice(Math.max(0, token.start - 20), token.start),
    )
    const isName = givenNames.has(token.folded) && !ambiguousNames.has(token.folded)
    if (!titled && !isName) continue
    const span = follows ? [token, next] : [token]
    const isStrong = titled || introduced || (follows && isFamily(next))
    found.push(...finding('person', 'person.lowercase', isStrong || !follows ? span : [token], isStrong ? 0.7 : 0.45))
    if (follows && isStrong) at++
  }
  return found
}
