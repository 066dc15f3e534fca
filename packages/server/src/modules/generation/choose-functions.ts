interface Listed {
  readonly name: string
  readonly summary: string
  readonly connector: string | null
  readonly origin: string
}

const functionsMax = 40
/** Functions that are suggested by their meaning alone. */
const suggestedMax = 12
/** Functions that are compared with a request. */
const comparedMax = 500

/** Compares texts with a request by their meaning, or cannot. */
export type Rank = (query: string, texts: readonly string[]) => Promise<readonly number[] | undefined>

/**
 * The names of the functions that a model learns of: those of the connectors that the request names, then those of the account, and where meanings
 * can be compared the most similar ones of the installation. Without, the words of the request order those of the account.
 */
export async function chooseFunctions(listed: readonly Listed[], request: string, rank: Rank): Promise<readonly string[]> {
  const words = wordsOf(request)
  const isNamed = ({ connector }: Listed) => connector !== null && words.has(connector)
  const named = listed.filter(isNamed)
  const others = byScore(
    listed.filter((each) => each.connector !== null && !isNamed(each)),
    (each) => Number(each.origin === 'account') * wordsMax + sharedWords(words, each),
  ).slice(0, comparedMax)
  const similarities = await rank(request, others.map(textOf))
  const ranked = similarities === undefined ? others : byScore(others, (_each, index) => similarities[index] ?? -1)
  const suggested = similarities === undefined ? [] : ranked.filter(({ origin }) => origin !== 'account').slice(0, suggestedMax)
  const own = ranked.filter(({ origin }) => origin === 'account').slice(0, Math.max(0, functionsMax - named.length - suggested.length))
  return [...named, ...own, ...suggested].slice(0, functionsMax).map(({ name }) => name)
}

/** No text shares more words with a request. */
const wordsMax = 1_000

const wordsOf = (text: string) => new Set(text.toLowerCase().split(/[^\p{L}\p{N}-]+/u))

function sharedWords(words: ReadonlySet<string>, each: Listed): number {
  return wordsOf(textOf(each)).intersection(words).size
}

/** As people say it: `slack.postMessage` becomes `slack post message`. */
function textOf({ name, summary }: Listed): string {
  const spaced = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[._-]+/g, ' ')
  return `${spaced.toLowerCase()}: ${summary}`
}

/** The best first; equals keep their order. */
function byScore<T>(items: readonly T[], scoreOf: (item: T, index: number) => number): readonly T[] {
  return items
    .map((item, index) => ({ item, score: scoreOf(item, index) }))
    .toSorted((one, other) => other.score - one.score)
    .map(({ item }) => item)
}
