import { describe, expect, test } from 'vitest'
import { compile, JqError, JqSyntaxError, type Json } from './index.ts'
import { describeConformance } from './testing/conformance.ts'
import { parseCases, type ConformanceCase } from './testing/conformance-cases.ts'
import { exceptions } from './testing/exceptions.ts'
import { equals } from './values/compare.ts'
import { parseJson } from './values/json-parse.ts'
import { stringify } from './values/json-text.ts'
import { toJson, type Value } from './values/value.ts'

const modules = /\b(?:import|include|module|modulemeta)\b/
const isAboutModules = ({ program }: ConformanceCase): boolean => modules.test(program) && !program.startsWith('{if:')

/** The input as a host has it: read by JSON.parse, with a real NaN where the case has a number that JSON does not know. */
function inputOf(text: string): Json {
  const trimmed = text.replace(/^\ufeff/, '')
  try {
    const parsed: Json = JSON.parse(trimmed)
    return parsed
  } catch {
    const marked: Json = JSON.parse(trimmed.replace(/-?\b(?:nan|infinity)\b/gi, '"(nan)"'), (_key, value: unknown) =>
      value === '(nan)' ? Number.NaN : value,
    )
    return marked
  }
}

function outputsOf({ program, input }: ConformanceCase): Json[] {
  const outputs: Json[] = []
  try {
    compile(program, { clock: () => 0 }).each(inputOf(input), (output) => {
      outputs.push(output)
      return false
    })
  } catch (error) {
    // jq's own runner looks at the outputs before an error and not at the error.
    if (!(error instanceof JqError)) throw error
  }
  return outputs
}

/** The message as jq prints it: with the line of the program and the place marked. */
function failureOf({ program }: ConformanceCase): string {
  try {
    compile(program)
    return 'compiled'
  } catch (error) {
    if (!(error instanceof JqSyntaxError)) throw error
    const { line, column, span, message } = error
    const marks = '^'.repeat(Math.max(1, span.end - span.start))
    return `jq: error: ${message} at <top-level>, line ${line}, column ${column}:\n    ${program.split('\n')[line - 1]}\n    ${' '.repeat(column - 1)}${marks}`
  }
}

function isSame(expected: Value, actual: Value): boolean {
  return equals(expected, actual) || stringify(expected) === stringify(actual)
}

function passes(item: ConformanceCase): boolean {
  if (item.failure !== undefined) return failureOf(item) === item.failure
  try {
    const outputs = outputsOf(item)
    const expected = item.outputs.map((output) => toJson(parseJson(output)))
    return expected.length === outputs.length && expected.every((value, at) => isSame(value, outputs[at] ?? null))
  } catch (error) {
    if (error instanceof JqSyntaxError) return false
    throw error
  }
}

const excepted = new Set(exceptions.map(({ program }) => program))

describeConformance("jq's own tests", (data) => {
  const cases = parseCases(data.read('jq/jq.test'))
  const ours = cases.filter((item) => !isAboutModules(item))

  test('the file has the cases that it is known to have', () => {
    expect(cases.length).toBeGreaterThan(500)
    expect(ours.length).toBeGreaterThan(500)
  })

  test('at least 97 % of the cases that are not about modules pass', () => {
    const passed = ours.filter(passes).length
    expect(passed / ours.length).toBeGreaterThanOrEqual(0.97)
  })

  test.each(ours.filter(({ program }) => !excepted.has(program)))('line $line passes: $program', (item) => {
    if (item.failure !== undefined) expect(failureOf(item)).toBe(item.failure)
    else expect(outputsOf(item).map((output) => stringify(output))).toSatisfy(() => passes(item))
  })

  test.each(exceptions)('is still an exception: $program, since $reason', ({ program }) => {
    const listed = ours.filter((item) => item.program === program)
    expect(listed).not.toHaveLength(0)
    expect(listed.some(passes)).toBe(false)
  })

  test.each(cases.filter(isAboutModules))('line $line is about modules and is refused, not misread', ({ program }) => {
    expect(() => compile(program)).toThrow(JqSyntaxError)
  })
})

describe('reading the cases', () => {
  test('blank lines end a case and comments between cases are skipped', () => {
    const parsed = parseCases('# a comment\n\n.a\n{"a":1}\n1\n\n%%FAIL\n{\nmessage\n  more\n')
    expect(parsed).toEqual([
      { line: 3, program: '.a', input: '{"a":1}', outputs: ['1'], failure: undefined },
      { line: 7, program: '{', input: 'null', outputs: [], failure: 'message\n  more' },
    ])
  })
})
