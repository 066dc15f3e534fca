import type { Outline } from '@millrace/dsl/outline'
import type { Finding } from '#src/editor/diagnose.ts'

/** How many findings each task has, by its path; a finding belongs to the innermost task around its line and column. */
export function problemsByTask(findings: readonly Finding[], outline: Outline, text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const starts = lineStarts(text)
  for (const { line, column } of findings) {
    const offset = (starts[line - 1] ?? 0) + Math.max(0, column - 1)
    const path = taskAround(outline, offset)
    if (path !== undefined) counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  return counts
}

function taskAround(outline: Outline, offset: number): string | undefined {
  let best: readonly [path: string, start: number] | undefined
  for (const [path, { start, end }] of outline.places)
    if (start <= offset && offset <= end && start >= (best?.[1] ?? -1)) best = [path, start]
  return best?.[0]
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
