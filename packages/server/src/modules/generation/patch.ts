import { placesOf } from './places-of.ts'

/** One piece of a change to a text. */
export interface Edit {
  /** Occurs in the text exactly once. */
  readonly search: string
  readonly replace: string
}

export type Patched = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly findings: string }

/**
 * Replaces pieces of a text; everything else stays byte for byte. Each piece occurs in the text exactly once, and pieces do not overlap, so the
 * result does not depend on their order. The findings are for the model that wrote the pieces.
 */
export function applyEdits(text: string, edits: readonly Edit[]): Patched {
  const asked = edits.map(({ search, replace }) => ({ search: withBreaksOf(text, search), replace: withBreaksOf(text, replace) }))
  const found = asked.map(({ search }) => (search.trim() === '' ? [] : placesOf(text, search, linesMax)))
  // Read once for all edits, and only where one does not occur.
  const bareText = found.some((places) => places.length === 0) ? bareLinesOf(text) : ''
  const wrong = asked.flatMap(({ search }, index) => findingOf({ text, bareText }, search, found[index] ?? [], index + 1) ?? [])
  if (wrong.length > 0) return { ok: false, findings: wrong.join('\n') }
  const placed = asked
    .map(({ search, replace }, index) => {
      const from = found[index]?.[0] ?? 0
      return { number: index + 1, from, to: from + search.length, replace }
    })
    .toSorted((one, other) => one.from - other.from)
  const overlapping = placed.flatMap(({ from, number }, index) => {
    const before = placed[index - 1]
    return before === undefined || before.to <= from ? [] : [`- Edits ${before.number} and ${number} overlap. Make one edit of them.`]
  })
  if (overlapping.length > 0) return { ok: false, findings: overlapping.join('\n') }
  const pieces = placed.map(({ from, replace }, index) => text.slice(placed[index - 1]?.to ?? 0, from) + replace)
  return { ok: true, text: pieces.join('') + text.slice(placed.at(-1)?.to ?? 0) }
}

/** Models write line feeds, also for a text that has carriage returns. */
function withBreaksOf(text: string, piece: string): string {
  return text.includes('\r\n') ? piece.replaceAll(/\r?\n/g, '\r\n') : piece
}

/** Lines that a finding names. */
const linesMax = 5

interface Searched {
  readonly text: string
  /** Its lines without the spaces that indent, end and align them. */
  readonly bareText: string
}

function findingOf({ text, bareText }: Searched, search: string, places: readonly number[], number: number): string | undefined {
  if (search.trim() === '') return `- Edit ${number}: "search" is empty. Copy the text there that is to be replaced.`
  const lines = places.map((at) => text.slice(0, at).split('\n').length)
  if (lines.length === 1) return undefined
  if (lines.length === 0) return `- Edit ${number}: the definition does not contain ${quoted(search)}. ${similarTo(bareText, search)}`
  const more = lines.length < linesMax ? '' : ' and possibly others'
  return `- Edit ${number}: the definition contains ${quoted(search)} more than once, at lines ${lines.join(', ')}${more}. Add the lines beside it that make it unique.`
}

/** Longer pieces are not looked for with other spaces. */
const comparedLinesMax = 50

/** What helps when a piece does not occur: the usual reason is indentation. */
function similarTo(bareText: string, search: string): string {
  const wanted = search.trim()
  const [at] = wanted.split('\n').length > comparedLinesMax ? [] : placesOf(bareText, bareLinesOf(wanted), 1)
  return at === undefined
    ? 'Copy it from the definition, with its spaces and line breaks.'
    : `Line ${bareText.slice(0, at + 1).split('\n').length - 1} differs only in its spaces: copy them too.`
}

/** Each line between line feeds, so that whole lines can be looked for. */
function bareLinesOf(text: string): string {
  const lines = text.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '))
  return `\n${lines.join('\n')}\n`
}

const quotedMax = 200

function quoted(search: string): string {
  return JSON.stringify(search.length > quotedMax ? `${search.slice(0, quotedMax)}…` : search)
}
