import { fold } from './lists/places.ts'

export interface Token {
  readonly text: string
  readonly folded: string
  readonly start: number
  readonly end: number
  readonly isCapital: boolean
  readonly isUpper: boolean
  readonly isArabic: boolean
  readonly isNumber: boolean
  /** The characters between the previous token and this one. */
  readonly gap: string
  /** Whether it begins a sentence or a line. */
  readonly isFirst: boolean
}

const pattern = /\p{L}[\p{L}\p{M}]*(?:['’.-](?=\p{L})[\p{L}\p{M}]+)*|\d+\p{L}?(?!\p{L})/gu
const sentenceEnd = /[.!?:;\n"“”«>(]|^$/u

/** The words and numbers of a text. A hyphen, an apostrophe or a period inside a word belongs to it, the ’s of the genitive does not. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  let last = 0
  for (const match of text.matchAll(pattern)) {
    const word = match[0].replace(/(?<=\p{L})['’]s$/iu, '')
    const start = match.index
    const gap = text.slice(last, start)
    const first = word.charAt(0)
    const isLetter = first.toLowerCase() !== first.toUpperCase()
    const isCapital = isLetter && first === first.toUpperCase()
    tokens.push({
      text: word,
      folded: fold(word),
      start,
      end: start + word.length,
      isCapital,
      isUpper: isCapital && word.length > 1 && word === word.toUpperCase(),
      isArabic: /^[\u0600-\u06FF]/.test(word),
      isNumber: /^\d/.test(word),
      gap,
      isFirst: tokens.length === 0 || sentenceEnd.test(gap),
    })
    last = start + word.length
  }
  return tokens
}
