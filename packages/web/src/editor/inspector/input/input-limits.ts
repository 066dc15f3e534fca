import { lineMax } from '#src/editor/inspector/input/input-fields.ts'
import type { InputKind, InputLimit, LimitKey } from '#src/editor/inspector/input/input-fields.ts'

/** Why what was typed as the limits of a field is not written. */
export type LimitProblem = 'number' | 'count' | 'crossed' | 'isLong' | 'isShort'

/** What was typed as the limits of a field, with what is wrong with each. */
export function readLimits(kind: InputKind, typed: readonly (readonly [LimitKey, string])[]) {
  const limits = typed.map(([key, text]): InputLimit => [key, text.trim() === '' ? undefined : Number(text)])
  const problems: Partial<Record<LimitKey, LimitProblem>> = {}
  for (const [key, value] of limits) {
    const problem = problemOf(kind, key, value)
    if (problem !== undefined) problems[key] = problem
  }
  const { minimum, maximum } = Object.fromEntries(limits)
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) problems.maximum ??= 'crossed'
  return { limits, problems }
}

function problemOf(kind: InputKind, key: LimitKey, value: number | undefined): LimitProblem | undefined {
  if (value !== undefined && !Number.isFinite(value)) return 'number'
  if (key !== 'maxLength') return undefined
  if (value !== undefined && (!Number.isInteger(value) || value < 1)) return 'count'
  // A text is a long one by its limit.
  if (kind === 'lines') return value === undefined || value <= lineMax ? 'isShort' : undefined
  return value !== undefined && value > lineMax ? 'isLong' : undefined
}
