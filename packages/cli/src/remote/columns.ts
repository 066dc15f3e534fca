import type { Paint } from '#terminal/paint.ts'
import { printableLine } from '#terminal/printable.ts'

/** Rows of text in columns that are as wide as their widest entry; the last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(printableLine))
  const widths = (clean[0] ?? []).map((_, index) => Math.max(...clean.map((row) => (row[index] ?? '').length)))
  const lines = clean.map((row) => row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join('  '))
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

/** A state of an execution or a task in the colour of its urgency. */
export function paintState(state: string, paint: Paint): string {
  if (state === 'faulted') return paint.red(state)
  if (state === 'completed') return paint.green(state)
  return state === 'cancelled' || state === 'skipped' ? paint.dim(state) : paint.yellow(state)
}
