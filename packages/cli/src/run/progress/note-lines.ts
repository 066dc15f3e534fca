import type { Paint } from '#terminal/paint.ts'
import { printableLine, truncate } from '#terminal/printable.ts'
import { formatTaskLine } from '#terminal/task-line.ts'
import type { RunNote } from './task-event.ts'

export interface NoteOptions {
  readonly verbose: boolean
  readonly mask: (text: string) => string
}

/** A note as lines that stay; none for what is shown only when asked for. */
export function noteLines(note: RunNote, depth: number, columns: number, paint: Paint, { verbose, mask }: NoteOptions): readonly string[] {
  switch (note.event) {
    case 'wait.opened':
      return [
        formatTaskLine({ mark: 'waiting', depth, name: note.name, remarks: [], what: `waits for ${mask(note.what)}` }, columns, paint),
      ]
    case 'event.emitted':
      if (!verbose) return []
      return [truncate(`    event ${printableLine(mask(JSON.stringify(note.value)))}`, columns)]
    case 'event.refused':
      return [`${paint.yellow('refused:')} standard input:${note.line}: ${printableLine(mask(note.why))}`]
    case 'answer.refused':
      return [`${paint.yellow('refused:')} the answer to ${printableLine(note.name)}: ${printableLine(mask(note.why))}`]
    case 'run.answered':
      return [`${paint.cyan('↩ answer')} ${printableLine(mask(JSON.stringify(note.body)))}`]
  }
}
