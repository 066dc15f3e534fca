import { findAll, type Finding } from './finding.ts'

const word = String.raw`\p{Lu}[\p{L}\p{M}'’.-]{0,40}`
const small = String.raw`(?:de|del|della|di|da|do|dos|das|du|des|la|le|les|los|van|von|der|den|am|an|im|zum|zur|sur|the|of|et|y|e|i|d[’'](?=\p{L})|\d{1,3}(?:st|nd|rd|th)?)`
const words = (most: number) => String.raw`${word}(?:[ ](?:${small}[ ]){0,2}${word}){0,${most}}`
const streetWord = String.raw`(?i:street|str|st|road|rd|avenue|ave|av|lane|ln|drive|dr|boulevard|blvd|court|ct|place|pl|square|sq|terrace|way|highway|hwy|parkway|pkwy|circle|crescent|close|grove|row|alley|trail|walk|gardens|mews|hill|quay|embankment|strasse|straße|allee|platz|gasse|weg|laan|straat|plein|gracht|kade|gade|vej|gata|gatan|vägen|veien|väg|katu|tie|rue|chemin|impasse|quai|calle|carrera|avenida|paseo|plaza|camino|rua|travessa|praça|via|viale|piazza|corso|ulica|ul|aleja|utca|út|ulitsa|prospekt|sokak|caddesi|mahallesi|bulevar|шоссе|улица|ул|проспект|شارع|طريق|حي)`
const prefix = String.raw`(?i:rue|chemin|impasse|quai|place|avenue|av\.?|calle|carrera|avenida|paseo|plaza|camino|rua|r\.|r|travessa|praça|via|viale|piazza|corso|ul\.|ulica|aleja|al\.|c\/|p\.?\s?o\.? box|\u0634\u0627\u0631\u0639)`
const unit = String.raw`(?i:apt|apartment|suite|ste|unit|flat|room|rm|floor|fl|building|bldg|block|villa|office|p\.?\s?o\.? box|postfach|apartado|piso|wohnung|lgh|dept|شقة|عمارة|مبنى|ص\.ب)\.?[ ]?#?\d{1,5}[a-z]?`

const score = { strong: 0.9, medium: 0.6, weak: 0.45 } as const
const anyWord = String.raw`[\p{L}][\p{L}\p{M}'’.-]{0,40}`

/** The parts of postal addresses that their form reveals: streets with numbers, units and post boxes. */
const rules: readonly (readonly [RegExp, number])[] = [
  // 12 Baker Street; 112 Rue de la Paix 5; P.O. Box 12
  [
    new RegExp(
      String.raw`(?<![\p{L}\d])\d{1,5}[a-zA-Z]?,?[ ](?:${prefix}[ ])?(?:${words(4)}[ ])?(?:${streetWord})\b\.?(?:[ ](?:N|S|E|W|NE|NW|SE|SW)\b)?(?:[ ]\d{1,5}\b)?`,
      'gu',
    ),
    score.strong,
  ],
  [
    new RegExp(String.raw`(?<![\p{L}\d])\d{1,5}[ ](?:${words(4)}|\d{1,3}(?:st|nd|rd|th)?)[ ](?:[\p{L}.]+[ ])?\d{1,5}(?![\d/:-])`, 'gu'),
    score.medium,
  ],
  [new RegExp(String.raw`(?<![\p{L}\d])\d{1,5}[ ]${words(4)}(?=\s{0,4},?\s{0,4}(?:\n|,)\s{0,8}(?:${unit}|\p{Lu}))`, 'gu'), score.weak],
  [new RegExp(String.raw`(?<![\p{L}\d])\d{1,5}[ ]${words(3)}(?=[ ]${unit})`, 'gu'), score.medium],
  [new RegExp(String.raw`(?<![\p{L}\d])\d{1,5}(?:[ ]${anyWord}){1,5}(?:[ ]\d{1,5})?(?=[ ]?,?[ ]?\n?[ >?]*${unit})`, 'gu'), score.strong],
  [/\b(?:(?:PSC|CMR|Unit) \d+,? Box \d+|USN?S \p{L}+|USCGC \p{L}+)\s+[AFD]PO A[AEP] \d{5}/giu, score.strong],
  [
    new RegExp(String.raw`\b[Tt]he corner of (?:${words(3)}|[^.,;\n]{3,30}) and (?:${words(3)}|\d{1,3}(?:st|nd|rd|th)?[ ]${word})`, 'gu'),
    score.strong,
  ],
  // Baker Street 12; Hauptstraße 5a; Calle Mayor 3; R Cachoeira 112
  [
    new RegExp(
      String.raw`(?<![\p{L}\d])(?:${words(2)}[ ])?(?:${word})?(?i:straße|strasse|str\.|allee|platz|gasse|weg|laan|straat|plein|gracht|kade|gade|vej|gata|gatan|vägen|veien|katu|utca|utja|ulitsa|sokak|caddesi)[ ]\d{1,5}[a-zA-Z]?(?![\d/:])`,
      'gu',
    ),
    score.strong,
  ],
  [new RegExp(String.raw`(?<![\p{L}\d])(?:${prefix})[ ]${words(4)},?(?:[ ]\d{1,5}[a-zA-Z]?)?(?![\d/:])`, 'gu'), score.medium],
  [
    new RegExp(
      String.raw`(?<![\p{L}\d])${words(2)}[ ](?:Street|Road|Avenue|Lane|Drive|Boulevard|Court|Square|Terrace|Highway|Parkway|Crescent|Grove|Quay|St\.|Rd\.|Ave\.)(?![\p{L}])`,
      'gu',
    ),
    score.medium,
  ],
  [new RegExp(String.raw`(?<![\p{L}\d])${unit}(?![\p{L}\d])`, 'gu'), score.medium],
  [/(?<=\b(?:zip|postal|post)\s?codes?(?: is|:)? )[\p{L}\d]{2,5}[ -]?[\p{L}\d]{2,5}\b/giu, score.strong],
  [/(?<![A-Za-z\d])(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d)(?![A-Za-z\d])/g, score.medium],
  // A line or a phrase that a preposition presents as an address.
  [
    new RegExp(
      String.raw`(?<=\b(?:at|address(?: is|:)?|lives at|send (?:it )?to|taxi to|corner of)[ ]{1,3}(?:the )?)(?:${words(3)}[ ]\d{1,5}|\d{1,5}[ ]${words(4)})(?![\d/:])`,
      'gu',
    ),
    score.medium,
  ],
]

const component = new RegExp(
  String.raw`^(?:[ ]{0,4},?[ ]{0,4}\n?[ \t>?]{0,8}\n?[ \t>?,]{0,8})(?:${unit}|\d{1,5}[ ]${words(3)}(?:[ ]\d{1,5})?|[A-Z]{2}[ ]\d{4,5}(?:-\d{4})?|${words(4)}(?:[ ]?\([\p{L} ]+\))?(?:[ ,]+(?:[A-Z]{2}[ ])?\d{3,6}(?:[- ]?[A-Z\d]{2,4})?\b)?|\d{4,6}(?:-\d{3,4})?\b)`,
  'u',
)
/** In any case, behind a unit: the city up to the end of the line. */
const lowerCity = /^[ ,]*\n[ \t>?]*(?!\d)\p{L}[\p{L} .'’-]{2,40}(?=[ ,]*(?:\n|\d{4,6}|$))/u
const postcode = /^[ ,]+(?:[A-Z]{1,3}[- ])?\d{3,6}(?:-\d{3,4})?(?![\d/:.-])/u
/** Labels of other data. */
const introducesOther = /^(?:phone|tel|fax|mobile|email|e-mail|name|date|iban|dr|mr|mrs|ms)\b/i
const componentsMax = 6

export function findAddresses(text: string, isPlain: (word: string) => boolean): Finding[] {
  const parts = rules.flatMap(([pattern, value]) => findAll(text, pattern, { kind: 'location', rule: 'address' }, () => value))
  return parts.filter((part) => !isPlain(text.slice(part.start, part.end))).map((part) => extended(text, part, isPlain))
}

/** With the unit, city, country and postal code that follow on the same or the next lines. */
function extended(text: string, part: Finding, isPlain: (word: string) => boolean): Finding {
  let { end, score: value } = part
  for (let count = 0; count < componentsMax; count++) {
    const rest = text.slice(end, end + 160)
    const match =
      component.exec(rest) ?? postcode.exec(rest) ?? (count > 0 || /\d/.test(text.slice(part.start, end)) ? lowerCity.exec(rest) : null)
    if (match === null) break
    const piece = match[0].replace(/^[\s,>?]+/, '')
    if (isPlain(piece) || introducesOther.test(piece)) break
    // Inside a sentence only a comma or a line break leads on.
    if (!/^\s*(?:,|\n)/.test(match[0]) && !postcode.test(match[0]) && !/^\s*(?:\p{L}+\.?\s?)?#?\d/u.test(match[0])) break
    end += match[0].length
    value = Math.max(value, score.medium)
  }
  return { ...part, end, score: end > part.end ? Math.max(value, score.strong) : value }
}
