import { readFileSync } from 'node:fs'
import { compile } from '#src/index.ts'
import { stringify } from '#src/values/json-text.ts'
import { observed } from './oracle.ts'

/** Recorded from jq 1.8.2 by testing/record.ts; one case a line. */
export const recordedCases = new URL('../recorded/cases.jsonl', import.meta.url)

/** Outcomes of programs for a value of each type, written by hand and confirmed by jq 1.8.2; one program a line. */
export const recordedMessages = new URL('../recorded/messages.jsonl', import.meta.url)

/** One recorded case: a program, its input, and its observed outputs in jq 1.8.2, the last two as JSON text. */
export interface RecordedCase {
  readonly group: string
  readonly program: string
  readonly input: string
  readonly outcome: string
}

/** A program and its outcome for null, true, -1.5, "ab", [1,"a"] and {"a":1}: an array of its outputs or its error message, as JSON text. */
export interface RecordedMessages {
  readonly group: string
  readonly program: string
  readonly outcomes: readonly string[]
}

/** A recorded case with the outcome that this package gives. */
export interface Deviation extends RecordedCase {
  readonly actual: string
}

/** Reads a file of one JSON value a line, and groups the values. */
export function readGroups<T extends { readonly group: string }>(file: URL): ReadonlyMap<string, readonly T[]> {
  const values = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): T => JSON.parse(line))
  return Map.groupBy(values, ({ group }) => group)
}

/** The observed outputs of a program in this package, as JSON text. */
export function outcomeOf(program: string, input: string): string {
  return stringify(compile(observed(program)).first(JSON.parse(input)) ?? null)
}

/** Runs recorded cases and returns those whose outcome differs. */
export function deviations(cases: readonly RecordedCase[]): Deviation[] {
  return cases
    .map((recorded) => ({ ...recorded, actual: outcomeOf(recorded.program, recorded.input) }))
    .filter(({ outcome, actual }) => outcome !== actual)
}
