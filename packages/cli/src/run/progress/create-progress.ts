import type { Output } from '#terminal/terminal.ts'
import { createJsonProgress } from './json-progress.ts'
import { createQuietProgress } from './quiet-progress.ts'
import type { Progress } from './task-event.ts'
import { createTextProgress } from './text-progress.ts'

/** How a run is shown: not at all, its tasks, its tasks with their values, or events for programs. */
export type Show = 'nothing' | 'tasks' | 'values' | 'json'

export interface ProgressDeps {
  /** Applied to everything that comes from data. */
  readonly mask: (text: string) => string
  readonly now: () => number
}

export function createProgress(output: Output, show: Show, { mask, now }: ProgressDeps): Progress {
  switch (show) {
    case 'nothing':
      return createQuietProgress(output, mask)
    case 'json':
      return createJsonProgress(output, mask, now)
    case 'tasks':
    case 'values':
      return createTextProgress(output, { mask, now, verbose: show === 'values' })
  }
}
