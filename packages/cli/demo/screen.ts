import { formatDuration } from '#terminal/duration.ts'
import { createPaint, type Paint } from '#terminal/paint.ts'
import { columnsOf, type Output } from '#terminal/terminal.ts'

const columnsMax = 80
const labelColumns = 12

/** The output of the demo, in 80 columns. */
export interface Screen {
  readonly paint: Paint
  readonly columns: number
  line(text?: string): void
  title(text: string): void
  /** A step that is done, and how long it took. */
  step(label: string, text: string, durationMs?: number): void
  /** Prints a line with emphasis. */
  alarm(text: string): void
}

export function createScreen(output: Output): Screen {
  const paint = createPaint(output)
  const columns = Math.min(columnsMax, columnsOf(output))
  const line = (text = ''): void => void output.write(`${text}\n`)
  return {
    paint,
    columns,
    line,
    title(text) {
      line()
      line(` ${paint.bold(text)}`)
      line(` ${paint.dim('─'.repeat(columns - 2))}`)
    },
    step(label, text, durationMs) {
      const took = durationMs === undefined ? '' : formatDuration(durationMs)
      const fill = ' '.repeat(Math.max(1, columns - 4 - labelColumns - text.length - took.length))
      line(` ${paint.green('✓')} ${label.padEnd(labelColumns)} ${text}${took === '' ? '' : `${fill}${paint.dim(took)}`}`)
    },
    alarm: (text) => line(` ${paint.red('✗')} ${paint.bold(paint.red(text))}`),
  }
}
