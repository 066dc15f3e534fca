import type { TextChange } from './edit.ts'

/** The text after changes. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  let result = ''
  let at = 0
  for (const { from, to, insert } of changes) {
    result += text.slice(at, from) + insert
    at = to
  }
  return result + text.slice(at)
}

/** The changes that make the text before of the text after. */
export function invertChanges(text: string, changes: readonly TextChange[]): readonly TextChange[] {
  let shift = 0
  return changes.map(({ from, to, insert }) => {
    const start = from + shift
    shift += insert.length - (to - from)
    return { from: start, to: start + insert.length, insert: text.slice(from, to) }
  })
}
