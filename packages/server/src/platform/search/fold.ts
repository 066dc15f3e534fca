/** A text as it is searched: without accents, in lower case, its words separated by one space. The same on every database. */
export function fold(text: string): string {
  return wordsOf(text).join(' ')
}

/** The words of a text: letters and digits, without accents, in lower case. */
export function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}

const queryWordsMax = 20

/** The words of a query that are searched for. */
export function queryWordsOf(text: string): readonly string[] {
  return wordsOf(text).slice(0, queryWordsMax)
}

/** A query for `to_tsquery('simple', …)` over folded texts: all words, the last one also as a beginning; undefined without a word. */
export function tsqueryOf(text: string): string | undefined {
  const words = queryWordsOf(text)
  return words.length === 0 ? undefined : `${words.join(' & ')}:*`
}
