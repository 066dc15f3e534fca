import type { DiagnosticCode } from '#src/diagnostics/codes.ts'
import type { Json } from '#src/json.ts'
import type { ParseLimits } from './limits.ts'
import type { PositionNode } from './positions.ts'

/** Why a text cannot be read, with offsets into the text, the end exclusive. */
export interface Problem {
  readonly code: DiagnosticCode
  readonly pointer: string
  readonly start: number
  readonly end: number
  readonly message: string
  readonly hint?: string
}

/** The result of reading a text; `value` must not be used if there are problems. */
export interface ReadResult {
  readonly value?: Json
  readonly root: PositionNode
  readonly problems: readonly Problem[]
}

/** Keys that JavaScript programs assign by accident to an object's prototype; no definition needs them. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__'])

/** Stops reading a text at a problem; the readers catch it. */
export class StoppedReading extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

export function tooDeep({ depthMax }: ParseLimits, pointer: string, start: number, end: number): Problem {
  const message = `Values are nested deeper than ${depthMax}.`
  return { code: 'document_too_deep', pointer, start, end, message, hint: 'Flatten the document.' }
}

export function tooManyValues({ valuesMax }: ParseLimits, pointer: string, start: number, end: number): Problem {
  const message = `The document has more than ${valuesMax} values.`
  return { code: 'document_too_large', pointer, start, end, message, hint: 'Split the workflow.' }
}

export function tooManyMembers({ membersMax }: ParseLimits, pointer: string, start: number, end: number): Problem {
  const message = `An object or list has more than ${membersMax} entries.`
  return { code: 'document_too_large', pointer, start, end, message, hint: 'Split the workflow, or take the data from elsewhere.' }
}

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
