import type { LocalRun } from '@millrace/engine'
import { exitCodes } from '#command/exit-code.ts'
import type { Terminal } from '#terminal/terminal.ts'
import type { NamedWait, ExternalInput } from './external-input/external-input.ts'
import type { Progress } from './progress/task-event.ts'

export interface Cancellation {
  of(local: LocalRun): void
  /** The open waits at the time of the first Ctrl-C. */
  waits(): readonly NamedWait[]
}

/** The first Ctrl-C cancels the run; the next one ends the process. Listens before the run starts, so that none is missed. */
export function cancelOnInterrupt(terminal: Terminal, external: ExternalInput, progress: Progress): Cancellation {
  let waits: readonly NamedWait[] | undefined
  let current: LocalRun | undefined
  terminal.onInterrupt(() => {
    if (waits !== undefined) {
      progress.close()
      terminal.exit(exitCodes.interrupted)
    }
    waits = external.waits()
    current?.cancel()
  })
  return {
    of(local) {
      current = local
      if (waits !== undefined) local.cancel()
    },
    waits: () => waits ?? [],
  }
}
