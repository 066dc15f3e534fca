import { isLabelName, isRuntimeExpression, labelsMax, labelTextMax, unwrapExpression } from '@millrace/dsl'
import { compile, JqError, JqLimitError, JqSyntaxError, type Program } from '@millrace/jq'
import { isObject, type Json } from '#core/json.ts'
import { type Label, LABEL_PROBLEM_MAX, LABEL_VALUE_MAX } from '#core/label.ts'
import type { ReadLabels } from '#core/node.ts'

/** Steps of the labels of one start: at most some milliseconds, for which the start waits. */
const STEPS_MAX = 20_000
/** The deadline is a last resort, as for filters of events. */
const LIMITS = { steps: STEPS_MAX, outputs: 1_000, depth: 1_000, size: 1_000_000, deadlineMs: 500 } as const
const TOO_LONG_TO_COMPUTE = `The labels take more than ${STEPS_MAX} steps. Compute less, or give the value in the input.`

type Read = (input: Json, nowMs: number) => { readonly value: Json; readonly steps: number }

/**
 * Compiles the labels of runs, each when it is read first. Definitions that were published before there were labels may have something else in
 * this place: it is ignored.
 * @returns undefined for a definition without labels.
 */
export function compileLabels(labels: Json | undefined): ReadLabels | undefined {
  if (labels === undefined || !isObject(labels)) return undefined
  const entries = Object.entries(labels).flatMap(([name, text]) =>
    typeof text === 'string' && text.length <= labelTextMax && isLabelName(name) ? [{ name, read: reader(text) }] : [],
  )
  if (entries.length === 0 || entries.length > labelsMax) return undefined
  return (input, nowMs) => {
    let steps = 0
    const read = entries.flatMap(({ name, read: one }): readonly Label[] => {
      if (steps > STEPS_MAX) return [{ name, problem: TOO_LONG_TO_COMPUTE }]
      try {
        const result = one(input, nowMs)
        steps += result.steps
        return labelOf(name, result.value)
      } catch (error) {
        if (error instanceof JqLimitError) steps += STEPS_MAX
        return [{ name, problem: problemOf(error) }]
      }
    })
    return { labels: read, steps }
  }
}

function reader(text: string): Read {
  if (!isRuntimeExpression(text)) return () => ({ value: text, steps: 0 })
  const clock = { nowMs: 0 }
  let program: Program | undefined
  return (input, nowMs) => {
    clock.nowMs = nowMs
    program ??= compile(unwrapExpression(text), { variables: [], clock: () => clock.nowMs, limits: LIMITS })
    return { value: program.first(input) ?? null, steps: program.steps() }
  }
}

/** Null and an empty text mean that the execution does not have the label. */
function labelOf(name: string, value: Json): readonly Label[] {
  if (typeof value === 'object' && value !== null)
    return [{ name, problem: `It gives ${Array.isArray(value) ? 'a list' : 'an object'}. A label is a text, a number, true or false.` }]
  const text = value === null ? '' : String(value).trim()
  if (text.length > LABEL_VALUE_MAX) return [{ name, problem: `It has ${text.length} characters, more than ${LABEL_VALUE_MAX}.` }]
  if (!isStorable(text)) return [{ name, problem: 'It has a character that cannot be stored: NUL, or half of a surrogate pair.' }]
  return text === '' ? [] : [{ name, value: text }]
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function problemOf(error: unknown): string {
  if (error instanceof JqLimitError) return TOO_LONG_TO_COMPUTE
  if (!(error instanceof JqError || error instanceof JqSyntaxError)) throw error
  return error.message.toWellFormed().replaceAll('\0', '').slice(0, LABEL_PROBLEM_MAX)
}
