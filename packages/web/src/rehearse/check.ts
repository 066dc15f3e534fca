import { type Json, parseDefinition, validateDefinition } from '@millrace/dsl'
import { type Fix, fixesFor } from '@millrace/dsl/fix'
import { type LensRequest, lensOf, recordScopes, type Scopes } from '#src/rehearse/lens.ts'
import { exampleInput } from '#src/rehearse/made-up.ts'
import { findingsOf, type Finding } from '#src/editor/diagnose.ts'
import { rehearseParsed, type Rehearsal, type RehearseOptions } from '#src/rehearse/rehearse.ts'

/** A text with the samples that it is rehearsed on. */
export interface CheckRequest {
  readonly text: string
  readonly syntax: 'yaml' | 'json'
  /** Undefined for one that the input schema makes up. */
  readonly input: Json | undefined
  /** Results of tasks with effects, by the pointer of the task. */
  readonly pins: ReadonlyMap<string, Json>
}

export interface Checked {
  readonly findings: readonly Finding[]
  /** Undefined for a definition that cannot be rehearsed. */
  readonly rehearsal: Rehearsal | undefined
  /** What it began with. */
  readonly input: Json
}

/** What is wrong with a definition, and what it makes of its samples; the text is read once for both. */
function check(
  { text, syntax, input: given, pins }: CheckRequest,
  options: Pick<RehearseOptions, 'startedAtMs' | 'elapsed' | 'entered'>,
): Checked {
  const parsed = parseDefinition(text, { format: syntax })
  const input = given ?? exampleInput(parsed.document)
  return {
    findings: findingsOf(parsed),
    input,
    rehearsal: rehearseParsed(parsed, { input, pins, ...options }),
  }
}

/** A finding with the text that it was found in. */
export interface FixRequest extends Pick<CheckRequest, 'text' | 'syntax'> {
  readonly finding: Pick<Finding, 'line' | 'column' | 'message'>
}

/** The corrections of a finding. */
function fixesOf({ text, syntax, finding }: FixRequest): readonly Fix[] {
  const diagnostic = validateDefinition(text, { format: syntax }).diagnostics.find(
    ({ line, column, message }) => line === finding.line && column === finding.column && message === finding.message,
  )
  return diagnostic === undefined ? [] : fixesFor(text, diagnostic, { syntax })
}

/**
 * The calls of the worker that checks; those for the lens are answered from the last rehearsal.
 * @param elapsed milliseconds of a clock that only goes forward
 */
export function createCheckAnswers(elapsed = () => performance.now()) {
  let scopes: Scopes = new Map()
  return {
    check(request: CheckRequest) {
      const recorded = recordScopes()
      const checked = check(request, { startedAtMs: Date.now(), elapsed, entered: recorded.entered })
      if (checked.rehearsal !== undefined) ({ scopes } = recorded)
      return checked
    },
    fixes: fixesOf,
    lens: (request: LensRequest) => lensOf(scopes, request, elapsed),
  }
}
