import type { Output } from '#terminal/terminal.ts'
import type { Progress } from './task-event.ts'

/** Writes every event as one line of JSON, for programs. */
export function createJsonProgress(output: Output, mask: (text: string) => string, now: () => number): Progress {
  return {
    task({ event, ...rest }) {
      output.write(`${mask(JSON.stringify({ event: `task.${event}`, at: new Date(now()).toISOString(), ...rest }))}\n`)
    },
    note({ event, ...rest }) {
      output.write(`${mask(JSON.stringify({ event, at: new Date(now()).toISOString(), ...rest }))}\n`)
    },
    pause: () => () => undefined,
    close: () => undefined,
  }
}
