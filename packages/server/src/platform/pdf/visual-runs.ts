import { createRequire } from 'node:module'
import type { Bidi } from 'bidi-js'

/** A piece of a line in one direction. Its text is in the order in which it is read. */
export interface VisualRun {
  readonly text: string
  readonly isRightToLeft: boolean
}

// The types of the package describe a default export that Node does not see.
const createBidi: () => Bidi = createRequire(import.meta.url)('bidi-js')
const bidi = createBidi()

/** Characters of Hebrew, Arabic and their neighbours, and those that control directions. Without one, a text has one direction. */
const other = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Whether a paragraph begins at the right. */
export function isRightToLeft(text: string): boolean {
  if (!other.test(text)) return false
  return (bidi.getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) % 2 === 1
}

/** The runs of a line from left to right, by the bidirectional algorithm of Unicode (UAX 9, rule L2). */
export function visualRuns(line: string): readonly VisualRun[] {
  if (!other.test(line)) return line === '' ? [] : [{ text: line, isRightToLeft: false }]
  const { levels } = bidi.getEmbeddingLevels(line)
  const mirrored = bidi.getMirroredCharactersMap(line, levels)
  const runs: { level: number; text: string }[] = []
  for (let index = 0; index < line.length; index++) {
    const level = levels[index] ?? 0
    const character = mirrored.get(index) ?? line.charAt(index)
    const last = runs.at(-1)
    if (last !== undefined && last.level === level) last.text += character
    else runs.push({ level, text: character })
  }
  const highest = Math.max(0, ...runs.map(({ level }) => level))
  for (let level = highest; level >= 1; level--) reverseFrom(runs, level)
  return runs.map(({ level, text }) => ({ text, isRightToLeft: level % 2 === 1 }))
}

/** Reverses every sequence of runs of a level or above. */
function reverseFrom(runs: { level: number }[], level: number): void {
  for (let start = 0; start < runs.length; start++) {
    let end = start
    while (end < runs.length && (runs[end]?.level ?? 0) >= level) end++
    if (end > start) runs.splice(start, end - start, ...runs.slice(start, end).toReversed())
    start = Math.max(start, end)
  }
}
