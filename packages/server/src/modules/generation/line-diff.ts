/** More lines between the first and the last difference are shown as replaced: the table below has a cell for each pair of them. */
const linesMax = 3_000
const contextLines = 3

interface Line {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

/** The change from one text to another as a unified diff; empty if they are the same. */
export function lineDiff(before: string, after: string): string {
  if (before === after) return ''
  const a = before.replace(/\n$/, '').split('\n')
  const b = after.replace(/\n$/, '').split('\n')
  const shorter = Math.min(a.length, b.length)
  const head = lengthWhile(shorter, (index) => a[index] === b[index])
  const tail = lengthWhile(shorter - head, (index) => a[a.length - 1 - index] === b[b.length - 1 - index])
  const changed = compare(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  return hunksOf([...a.slice(0, head).map(kept), ...changed, ...a.slice(a.length - tail).map(kept)]).join('\n')
}

/** How many indexes from 0 on, at most, have the property. */
function lengthWhile(most: number, has: (index: number) => boolean): number {
  let length = 0
  while (length < most && has(length)) length++
  return length
}

function compare(a: readonly string[], b: readonly string[]): readonly Line[] {
  if (a.length > linesMax || b.length > linesMax) return [...a.map(removed), ...b.map(added)]
  // lengths[i][j]: the length of the longest common subsequence of the ends of a from i and b from j.
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: Line[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(kept(a[i++] ?? ''))
      j++
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) lines.push(removed(a[i++] ?? ''))
    else lines.push(added(b[j++] ?? ''))
  }
  return lines
}

const kept = (text: string): Line => ({ mark: ' ', text })
const removed = (text: string): Line => ({ mark: '-', text })
const added = (text: string): Line => ({ mark: '+', text })

function hunksOf(lines: readonly Line[]): readonly string[] {
  const shown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - contextLines), index + contextLines + 1).some(({ mark }) => mark !== ' '),
  )
  const output: string[] = []
  let before = 1
  let after = 1
  for (const [index, { mark, text }] of lines.entries()) {
    if (shown[index] === true) {
      if (shown[index - 1] !== true) output.push(`@@ -${before} +${after} @@`)
      output.push(`${mark}${text}`)
    }
    if (mark !== '+') before++
    if (mark !== '-') after++
  }
  return output
}
