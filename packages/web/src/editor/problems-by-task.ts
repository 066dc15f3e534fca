import type { Outline } from '@millrace/dsl/outline'
import type { DocumentState } from '#src/document/document-store.ts'
import { jsonAt, pointerKeys } from '#src/document/task-json.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import { fieldWords } from '#src/editor/field-words.ts'
import { m } from '#src/messages/messages.ts'

/** The findings of a task: how many, and whether one of them is an error. */
export interface TaskProblems {
  readonly count: number
  readonly isError: boolean
}

/** The findings of each task, by its path; a finding belongs to the innermost task around its line and column. */
export function problemsByTask(findings: readonly Finding[], outline: Outline, text: string): ReadonlyMap<string, TaskProblems> {
  const found = new Map<string, TaskProblems>()
  const starts = lineStarts(text)
  for (const finding of findings) {
    const path = taskAround(outline, offsetOf(finding, starts))
    if (path === undefined) continue
    const { count = 0, isError = false } = found.get(path) ?? {}
    found.set(path, { count: count + 1, isError: isError || finding.severity === 'error' })
  }
  return found
}

/** The path of the task that a finding is about. */
export function taskOf(finding: Finding, outline: Outline, text: string): string | undefined {
  return taskAround(outline, offsetOf(finding, lineStarts(text)))
}

/** Where a finding is in a document, with the labels of the forms. */
export function placeInWords(finding: Finding, { outline, text, json }: DocumentState): string | undefined {
  return placeInFlow(finding, outline, text, (step, keys) => fieldWords(m, jsonAt(json, `${step}/call`) === 'approve', keys))
}

/** Where a finding is for a person who sees no lines: the name of the step, and the field in it where the finding has one. */
export function placeInFlow(
  finding: Finding,
  outline: Outline,
  text: string,
  wordsOf: (step: string, keys: readonly string[]) => string,
): string | undefined {
  const task = taskOf(finding, outline, text)
  const step = task === undefined ? undefined : outline.places.get(task)?.pointer
  if (step === undefined) return undefined
  const { pointer = '' } = finding
  const [first, ...others] = pointer.startsWith(`${step}/`) ? pointerKeys(pointer.slice(step.length)) : []
  // The form of a step has no field of this name.
  const field = first === undefined || first === 'with' ? others : [first, ...others]
  return [pointerKeys(step).at(-1), ...(field.length === 0 ? [] : [wordsOf(step, field)])].join(' · ')
}

function offsetOf({ line, column }: Finding, starts: readonly number[]): number {
  return (starts[line - 1] ?? 0) + Math.max(0, column - 1)
}

function taskAround(outline: Outline, offset: number): string | undefined {
  let best: readonly [path: string, start: number] | undefined
  for (const [path, { start, end }] of outline.places)
    if (start <= offset && offset <= end && start >= (best?.[1] ?? -1)) best = [path, start]
  return best?.[0]
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
