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
  const wrong = asked.flatMap(({ search }, index) => findingOf(text, search, index + 1) ?? [])
  if (wrong.length > 0) return { ok: false, findings: wrong.join('\n') }
  const placed = asked
    .map(({ search, replace }, index) => ({
      number: index + 1,
      from: text.indexOf(search),
      to: text.indexOf(search) + search.length,
      replace,
    }))
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

function findingOf(text: string, search: string, number: number): string | undefined {
  if (search.trim() === '') return `- Edit ${number}: "search" is empty. Copy the text there that is to be replaced.`
  const lines = occurrencesOf(text, search).map((at) => text.slice(0, at).split('\n').length)
  if (lines.length === 1) return undefined
  if (lines.length === 0) return `- Edit ${number}: the definition does not contain ${quoted(search)}. ${similarTo(text, search)}`
  const more = lines.length < linesMax ? '' : ' and possibly others'
  return `- Edit ${number}: the definition contains ${quoted(search)} more than once, at lines ${lines.join(', ')}${more}. Add the lines beside it that make it unique.`
}

/** Where a piece occurs; the first few places. */
function occurrencesOf(text: string, search: string): readonly number[] {
  const found: number[] = []
  for (let at = text.indexOf(search); at !== -1 && found.length < linesMax; at = text.indexOf(search, at + 1)) found.push(at)
  return found
}

/** Longer pieces are not looked for with other spaces. */
const comparedLinesMax = 50

/** What helps when a piece does not occur: the usual reason is indentation. */
function similarTo(text: string, search: string): string {
  const wanted = search.trim().split('\n').map(bare)
  const lines = text.split('\n').map(bare)
  const at =
    wanted.length > comparedLinesMax ? -1 : lines.findIndex((_, index) => wanted.every((line, offset) => lines[index + offset] === line))
  return at === -1
    ? 'Copy it from the definition, with its spaces and line breaks.'
    : `Line ${at + 1} differs only in its spaces: copy them too.`
}

const bare = (line: string) => line.trim().replaceAll(/\s+/g, ' ')

const quotedMax = 200

function quoted(search: string): string {
  return JSON.stringify(search.length > quotedMax ? `${search.slice(0, quotedMax)}…` : search)
}
