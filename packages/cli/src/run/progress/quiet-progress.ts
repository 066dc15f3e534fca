import { createPaint } from '#terminal/paint.ts'
import { columnsOf, type Output } from '#terminal/terminal.ts'
import { noteLines } from './note-lines.ts'
import type { Progress } from './task-event.ts'

/** Shows nothing but what was given by the user and refused. */
export function createQuietProgress(output: Output, mask: (text: string) => string): Progress {
  return {
    task: () => undefined,
    note(note) {
      if (note.event !== 'event.refused' && note.event !== 'answer.refused') return
      output.write(`${noteLines(note, 0, columnsOf(output), createPaint(output), { mask, verbose: false }).join('\n')}\n`)
    },
    pause: () => () => undefined,
    close: () => undefined,
  }
}
