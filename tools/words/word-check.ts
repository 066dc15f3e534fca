import { allowedPhrases, bannedWords } from './banned-words.ts'

interface Place {
  readonly line: number
  readonly word: string
  readonly instead: string
}

/** Counts by path of the banned words that are left from before the check. A count may only shrink. */
export type RemainingWords = Readonly<Record<string, number>>

/** Compares the banned words of all files with the counts that are left: a file may have neither more nor fewer than its count. */
export function checkWords(texts: ReadonlyMap<string, string>, remaining: RemainingWords): readonly string[] {
  const violations = [...texts].flatMap(([path, text]) => {
    const places = placesOf(path, text)
    const allowed = remaining[path] ?? 0
    if (places.length > allowed) return places.map(({ line, word, instead }) => `${path}:${line}: "${word}"; write ${instead}`)
    if (places.length < allowed)
      return [`${path} has ${places.length} banned words and ${allowed} in tools/words/remaining.json; run "npm run words" to lower it`]
    return []
  })
  const missing = Object.keys(remaining).filter((path) => !texts.has(path))
  return [...violations, ...missing.map((path) => `${path} of tools/words/remaining.json does not exist; run "npm run words"`)]
}

/** The counts after a clean-up: a file that improved gets its new count, and no file gets more than it had. */
export function lowerCounts(texts: ReadonlyMap<string, string>, remaining: RemainingWords): RemainingWords {
  const counts = Object.entries(remaining).map(
    ([path, count]) => [path, Math.min(count, placesOf(path, texts.get(path) ?? '').length)] as const,
  )
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

function placesOf(path: string, text: string): readonly Place[] {
  const searched = allowedPhrases.reduce((left, phrase) => left.replaceAll(phrase, (match) => ' '.repeat(match.length)), text)
  return bannedWords
    .filter(({ paths }) => paths?.test(path) ?? true)
    .flatMap(({ pattern, instead }) =>
      [...searched.matchAll(pattern)].map((match) => ({
        line: searched.slice(0, match.index).split('\n').length,
        word: match[0],
        instead,
      })),
    )
    .toSorted((before, after) => before.line - after.line)
}
