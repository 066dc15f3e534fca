/** A text that looks like something that must not leave an account. */
export interface Finding {
  readonly kind: 'secret' | 'personal'
  /** What it looks like, with its article; never the text itself. */
  readonly what: string
  /** JSON Pointer of the text. */
  readonly pointer: string
  /** Line in the text, from 1. */
  readonly line: number
}

interface Pattern {
  readonly kind: Finding['kind']
  readonly what: string
  readonly pattern: RegExp
  /** Refuses matches that only look like it. */
  readonly accepts?: (match: string) => boolean
}

const patterns: readonly Pattern[] = [
  { kind: 'secret', what: 'a private key', pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/g },
  { kind: 'secret', what: 'an access key of AWS', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { kind: 'secret', what: 'a token of GitHub', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,})/g },
  { kind: 'secret', what: 'a token of GitLab', pattern: /\bglpat-[\w-]{20,}/g },
  { kind: 'secret', what: 'a token of Slack', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  { kind: 'secret', what: 'a webhook of Slack', pattern: /hooks\.slack\.com\/services\/T\w+\/B\w+\/\w+/g },
  { kind: 'secret', what: 'a webhook of Discord', pattern: /discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]+/g },
  { kind: 'secret', what: 'a key of Stripe', pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{10,}/g },
  { kind: 'secret', what: 'a key of Google', pattern: /\bAIza[\w-]{35}/g },
  { kind: 'secret', what: 'a key of a model provider', pattern: /\bsk-[A-Za-z0-9_-]{20,}/g },
  { kind: 'secret', what: 'a token of a Telegram bot', pattern: /\b\d{8,10}:[A-Za-z0-9_-]{35}\b/g },
  { kind: 'secret', what: 'a secret of webhooks', pattern: /\bwhsec_[A-Za-z0-9+/=]{20,}/g },
  { kind: 'secret', what: 'a signed token (JWT)', pattern: /(?<![\w-])eyJ[\w-]{5,}\.eyJ[\w-]{5,}\.[\w-]{5,}/g },
  { kind: 'secret', what: 'a URL with a password', pattern: /:\/\/[^\s/:@{}$]{1,200}:[^\s/@{}$]{1,200}@/g },
  { kind: 'secret', what: 'a credential of an Authorization header', pattern: /\b(?:Bearer|Basic) +[A-Za-z0-9+/=._~-]{16,}/g },
  {
    kind: 'secret',
    what: 'a random key',
    pattern: /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{32,512}(?![A-Za-z0-9+/_-])/g,
    accepts: (match) => /\d/.test(match) && /[a-z]/.test(match) && /[A-Z]/.test(match) && !match.includes('://') && entropyOf(match) > 4.2,
  },
  {
    kind: 'personal',
    what: 'a mail address',
    pattern: /[\w.%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}\b/g,
    accepts: (match) => !/(?:@|\.)example\.(?:com|org|net)$|\.(?:example|test|invalid|localhost)$/i.test(match),
  },
  {
    kind: 'personal',
    what: 'a phone number',
    pattern: /(?<![\w+])\+[1-9](?:[ ().-]?\d){7,14}(?!\d)/g,
    // Numbers that are reserved for fiction.
    accepts: (match) => !/^\+1[ ().-]*\d{3}[ ().-]*555[ ().-]*01/.test(match),
  },
  {
    kind: 'personal',
    what: 'a bank account (IBAN)',
    pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g,
    accepts: isIban,
  },
  { kind: 'personal', what: 'a card number', pattern: /(?<![\w.-])[3-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?![\w.-])/g, accepts: isCard },
]

/** What a text contains, each kind at most once. */
export function scanText(text: string, pointer: string): readonly Finding[] {
  return patterns.flatMap(({ kind, what, pattern, accepts = () => true }) => {
    const match = [...text.matchAll(pattern)].find(([found]) => accepts(found))
    return match === undefined ? [] : [{ kind, what, pointer, line: text.slice(0, match.index).split('\n').length }]
  })
}

/** Bits of information in each character, by how often each occurs. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return -[...counts.values()].reduce((sum, count) => sum + (count / text.length) * Math.log2(count / text.length), 0)
}

/** ISO 13616: the number, its letters as numbers and its beginning at the end, is 1 modulo 97. */
function isIban(text: string): boolean {
  const compact = text.replaceAll(' ', '')
  if (compact.length < 15 || compact.length > 34) return false
  const digits = [...compact.slice(4), ...compact.slice(0, 4)].map((character) => Number.parseInt(character, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

/** ISO 7812: the check digit of Luhn. */
function isCard(text: string): boolean {
  const digits = [...text.replaceAll(/\D/g, '')].map(Number)
  if (digits.length < 13 || digits.length > 19) return false
  const sum = digits.toReversed().reduce((total, digit, index) => total + (index % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)), 0)
  return sum % 10 === 0
}
