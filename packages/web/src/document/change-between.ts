import type { TextChange } from '@millrace/dsl/edit'

/** The smallest replacement that makes one text of another. */
export function changeBetween(before: string, after: string): TextChange {
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before[from] === after[from]) from++
  let end = 0
  while (end < most - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) }
}
