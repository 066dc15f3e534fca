import { Chunk } from '@codemirror/merge'
import { Text } from '@codemirror/state'

/**
 * Joins two texts that came of one.
 * @returns the text with the changes of both; undefined if they change the same lines, or lines side by side.
 */
export function joinTexts(base: string, theirs: string, mine: string): string | undefined {
  const begun = textOf(base)
  const own = changesOf(begun, textOf(mine))
  const others = changesOf(begun, textOf(theirs)).filter((change) => !own.some((one) => isSame(one, change)))
  const all = [...own, ...others].toSorted((one, other) => one.from - other.from || one.to - other.to)
  let joined = ''
  let at = 0
  for (const [index, { from, to, insert }] of all.entries()) {
    const before = all[index - 1]
    if (before !== undefined && from <= before.to && others.includes(before) !== others.includes(all[index] ?? before)) return undefined
    joined += begun.sliceString(at, from) + insert
    at = to
  }
  joined += begun.sliceString(at)
  return mine.endsWith('\n') ? joined : joined.slice(0, -1)
}

interface LineChange {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** The changed lines, with their line breaks. */
function changesOf(from: Text, to: Text): readonly LineChange[] {
  return Chunk.build(from, to).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: Math.min(toA, from.length),
    insert: to.sliceString(fromB, Math.min(toB, to.length)),
  }))
}

function isSame(one: LineChange, other: LineChange): boolean {
  return one.from === other.from && one.to === other.to && one.insert === other.insert
}

/** With a line break at the end, so that each changed line has one. */
function textOf(text: string): Text {
  return Text.of((text.endsWith('\n') ? text : `${text}\n`).split('\n'))
}
