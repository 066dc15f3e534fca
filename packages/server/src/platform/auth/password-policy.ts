import { dictionary } from '@zxcvbn-ts/language-common'

/** In code points. ASVS 5.0, 6.2.1 and 6.2.9: at least 8 must be required, and 64 must be possible. */
const passwordLengthMin = 8
const passwordLengthMax = 256
/** Distinct characters, ignoring case: “aaaaaaaaaaaa” is long and easy to guess. */
const passwordVarietyMin = 4

/** Words that an attacker of this product tries first (ASVS 5.0, 6.1.2). */
const productWords = ['millrace', 'workflow', 'automation', 'password', 'passwort', 'administrator', 'operator']
const wordLengthMin = 4

/**
 * Returns the problems of a new password, as sentences for its user; empty when it is acceptable.
 *
 * Length counts characters as people do (code points). Any characters may be used, and none has to be (ASVS 5.0, 6.2.1 to 6.2.11).
 * `about` contains the user's address and names. Their words do not count: the rest of the password must be long enough by itself.
 */
export function judgePassword(password: string, about: readonly string[]): readonly string[] {
  const length = [...password].length
  if (!password.isWellFormed()) return ['Contains half of a character (an unpaired surrogate).']
  if (length < passwordLengthMin) return [`Must have at least ${passwordLengthMin} characters; 15 or more are better.`]
  if (length > passwordLengthMax) return [`Must have at most ${passwordLengthMax} characters.`]
  if (new Set(fold(password)).size < passwordVarietyMin) return [`Must have at least ${passwordVarietyMin} different characters.`]
  if (isCommonPassword(password)) return ['Is one of the most used passwords, which attackers try first. Choose another one.']
  const word = contextWord(password, about)
  return word === undefined ? [] : [`Is mostly “${word}”, which is easy to guess here. Choose something that has nothing to do with it.`]
}

function contextWord(password: string, about: readonly string[]): string | undefined {
  const words = [...productWords, ...about.flatMap(wordsOf)].filter((word) => [...word].length >= wordLengthMin)
  let rest = fold(password)
  let found: string | undefined
  // Long words first: “millrace.example” removes more than “millrace”.
  for (const word of new Set(words)
    .values()
    .toArray()
    .toSorted((a, b) => b.length - a.length)) {
    if (!rest.includes(word)) continue
    found ??= word
    rest = rest.replaceAll(word, '')
  }
  return found !== undefined && [...rest].length < passwordLengthMin ? found : undefined
}

/** The words of a name or an address, and the whole text with and without its separators. */
function wordsOf(text: string): readonly string[] {
  const folded = fold(text)
  return [folded, folded.replaceAll(/[^\p{L}\p{N}]/gu, ''), ...folded.split(/[^\p{L}\p{N}]+/u)]
}

/** For comparison only; the unchanged password is hashed. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

let known: ReadonlySet<string> | undefined

/** Whether a password, in any case, is one of the 18,000 most used ones of sufficient length. */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(dictionary['passwords-common'].filter((entry) => entry.length >= passwordLengthMin))
  return known.has(password.toLowerCase())
}
