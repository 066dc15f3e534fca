import { formatDuration } from './duration.ts'
import type { Paint } from './paint.ts'
import { printableLine, truncate } from './printable.ts'

export type TaskMark = 'begun' | 'completed' | 'faulted' | 'skipped' | 'waiting' | 'cancelled'

/** One line of a timeline. */
export interface TaskLine {
  readonly mark: TaskMark
  readonly depth: number
  readonly name: string
  /** `#3`, `attempt 2`. */
  readonly remarks: readonly string[]
  readonly what: string
  readonly durationMs?: number
}

const marks: Readonly<Record<TaskMark, readonly [string, keyof Paint]>> = {
  begun: ['▸', 'cyan'],
  completed: ['✓', 'green'],
  faulted: ['✗', 'red'],
  skipped: ['○', 'dim'],
  waiting: ['…', 'yellow'],
  cancelled: ['■', 'yellow'],
}

const whatColumn = 34
const durationColumns = 12
/** Below this a duration says nothing. */
const durationMsMin = 1

/** A line of a timeline: mark, name indented by depth, what the task does, how long it took. Fits the columns unless the name does not. */
export function formatTaskLine(line: TaskLine, columns: number, paint: Paint): string {
  const [glyph, style] = marks[line.mark]
  const indent = '  '.repeat(line.depth)
  const remarks = line.remarks.length === 0 ? '' : ` ${line.remarks.join(' ')}`
  const name = printableLine(line.name)
  const left = `${indent}${glyph} ${name}${remarks}`
  const duration = line.durationMs === undefined || line.durationMs < durationMsMin ? '' : formatDuration(line.durationMs)
  const gap = Math.max(1, whatColumn - left.length)
  const room = columns - left.length - gap - durationColumns
  const what = room < 4 ? '' : truncate(printableLine(line.what), room)
  const fill = duration === '' ? 0 : Math.max(1, columns - left.length - gap - what.length - duration.length)
  const painted = `${indent}${paint[style](glyph)} ${line.depth === 0 ? paint.bold(name) : name}${paint.yellow(remarks)}`
  return `${painted}${' '.repeat(gap)}${paint.dim(what)}${' '.repeat(fill)}${duration}`.trimEnd()
}
