import { editDistance } from '@millrace/dsl'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

/** Typing errors of one word that are corrected. */
const errorsMax = 2
const lengthMax = 32
const candidatesMax = 200
/** Corrections of one word that are searched for. */
const correctionsMax = 3
/** Letters at the end of the last word that may be wrong where no word is alike. */
const endMax = 2
const beginningMin = 3

interface Candidate {
  readonly word: string
  readonly entries: number
}

/**
 * A query for `to_tsquery('simple', …)` with words of the marketplace instead of those that no entry has: one typing error in words of four letters or more, two
 * in words of eight to sixteen. The last word also counts as a beginning, and without a correction all but its last two letters do.
 *
 * @param words folded
 * @returns undefined if no word can be corrected
 */
export async function correctWords(db: Kysely<Rows>, words: readonly string[]): Promise<string | undefined> {
  const found = await candidatesOf(db, words)
  const parts = words.map((word, index) => {
    const isLast = index === words.length - 1
    const { known, beginning, candidates } = found.get(word) ?? { known: false, beginning: word, candidates: [] }
    if (known || (isLast && beginning === word)) return { changed: false, text: isLast ? `${word}:*` : word }
    const corrections = bestOf(word, candidates)
    if (corrections.length > 0) return { changed: true, text: `(${[word, ...corrections].join(' | ')})` }
    const isBegun = isLast && beginning.length >= Math.max(beginningMin, word.length - endMax)
    return { changed: isBegun, text: isBegun ? `${beginning}:*` : word }
  })
  return parts.some(({ changed }) => changed) ? parts.map(({ text }) => text).join(' & ') : undefined
}

interface Spelling {
  /** Whether entries have the word. */
  readonly known: boolean
  /** The longest beginning of the word with which a word begins. */
  readonly beginning: string
  readonly candidates: readonly Candidate[]
}

async function candidatesOf(db: Kysely<Rows>, words: readonly string[]): Promise<ReadonlyMap<string, Spelling>> {
  const { rows } = await sql<{
    readonly asked: string
    readonly known: boolean
    readonly beginning: string | null
    readonly candidates: string
  }>`
    select asked, exists (select from marketplace_words where word = asked) as known,
      (select left(asked, length) from generate_series(length(asked), 1, -1) as length
        where (select word from marketplace_words where word >= left(asked, length) order by word limit 1) ^@ left(asked, length)
        order by length desc limit 1) as beginning,
      (select coalesce(json_agg(near), '[]') from (
        select word, entries from marketplace_words
        where marketplace_spellings(word) && marketplace_spellings(asked) limit ${candidatesMax}
      ) as near) as candidates
    from unnest(${[...new Set(words.filter(({ length }) => length <= lengthMax))]}::text[]) as asked`.execute(db)
  return new Map(
    rows.map(({ asked, known, beginning, candidates }) => [
      asked,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The statement makes it; JSON of the database is read as text.
      { known, beginning: beginning ?? '', candidates: JSON.parse(candidates) as readonly Candidate[] },
    ]),
  )
}

/** The words that differ least, those of the most entries first. */
function bestOf(word: string, candidates: readonly Candidate[]): readonly string[] {
  return candidates
    .map((candidate) => ({ ...candidate, errors: editDistance(word, candidate.word, errorsMax + 1) }))
    .filter(({ word: near, errors }) => errors <= forgiven(Math.max(word.length, near.length)))
    .toSorted((a, b) => a.errors - b.errors || b.entries - a.entries || (a.word < b.word ? -1 : 1))
    .filter(({ errors }, _index, [best]) => errors === best?.errors)
    .slice(0, correctionsMax)
    .map(({ word: near }) => near)
}

function forgiven(length: number): number {
  if (length < 4) return 0
  return length < 8 ? 1 : errorsMax
}
