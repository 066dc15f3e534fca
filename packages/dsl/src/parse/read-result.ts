import type { DiagnosticCode } from '#src/diagnostics/codes.ts'
import type { Json } from '#src/types/json.ts'
import type { PositionNode } from './positions.ts'

/** Something that keeps a text from being read; offsets into the text, the end exclusive. */
export interface Problem {
  readonly code: DiagnosticCode
  readonly pointer: string
  readonly start: number
  readonly end: number
  readonly message: string
  readonly hint?: string
}

/** What a reader makes of a text; `value` is only to be used when there are no problems. */
export interface ReadResult {
  readonly value?: Json
  readonly root: PositionNode
  readonly problems: readonly Problem[]
}

/** Keys that JavaScript programs assign by accident to an object's prototype; no definition needs them. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__'])

export function forbiddenKeyProblem(key: string, pointer: string, start: number, end: number): Problem {
  return { code: 'forbidden_key', pointer, start, end, message: `The key "${key}" is not allowed.`, hint: 'Use another name.' }
}

export function duplicateKeyProblem(key: string, pointer: string, start: number, end: number, firstLine: number): Problem {
  return {
    code: 'duplicate_key',
    pointer,
    start,
    end,
    message: `The key "${key}" is already there, in line ${firstLine}.`,
    hint: 'Remove one of the two, or rename it.',
  }
}
