import { standardError } from '#core/error.ts'
import type { Outcome } from '#core/request.ts'
import type { ChildOutcome } from './ports.ts'

export function hasOutcome({ state }: ChildOutcome): boolean {
  return state === 'completed' || state === 'faulted' || state === 'cancelled'
}

/** What a parent sees of its child: its output, its fault, or that somebody cancelled it. */
export function outcomeOfChild(child: Pick<ChildOutcome, 'state' | 'output' | 'error'>): Outcome {
  if (child.state === 'completed') return { ok: true, value: child.output ?? null }
  if (child.error !== undefined) return { ok: false, error: child.error }
  return { ok: false, error: standardError('runtime', `the workflow it ran was ${child.state}`).data }
}
