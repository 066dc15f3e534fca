import type { ErrorData } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import { isHeld } from './held.ts'
import type { EndedState, Progress, Write } from './ports.ts'

/** How a run left this process. */
export type RunEnd =
  | {
      readonly kind: 'ended'
      readonly state: EndedState
      readonly output: Json | undefined
      readonly error: ErrorData | undefined
      readonly answer: { readonly body: Json } | undefined
    }
  | { readonly kind: 'parked' }
  | { readonly kind: 'refused' }
  /** What was written last is not known; the journal must be asked. */
  | {
      readonly kind: 'lost'
      readonly cause: unknown
      /** Children that are this process's to run, if the write is there after all. */
      readonly children: readonly string[]
    }

/** The boundary that a write is, for tests that stop the process there. */
export function boundaryOf(write: Write, when: 'submitted' | 'committed') {
  if (write.progress !== undefined) return isHeld(write.progress) ? (`park-${when}` as const) : (`end-${when}` as const)
  return write.accept === undefined ? (`entry-${when}` as const) : (`accept-${when}` as const)
}

export function endOf(progress: Progress, answer: { readonly body: Json } | undefined): RunEnd {
  if (isHeld(progress)) return { kind: 'parked' }
  return { kind: 'ended', state: progress.state, output: progress.output, error: progress.error, answer }
}
