import { describe, expect, test } from 'vitest'
import { compile, JqError, JqLimitError, type Json } from './index.ts'

/** The outcome of a program on a value that it has nested itself: an output, an error of jq, or a limit. */
function outcome(program: string, levels: number): string {
  try {
    const limits = { steps: 50_000_000, size: 500_000_000, deadlineMs: 600_000 }
    compile(`reduce range(${levels}) as $i (1; [.]) | . as $deep | ${program} | type`, { limits }).first(null)
    return 'output'
  } catch (error) {
    if (error instanceof JqLimitError) return error.limit
    if (error instanceof JqError) return error.message
    throw error
  }
}

const output = 'output'

describe('a value that nests deeper than the stack of the host', () => {
  test.each<[string, string]>([
    ['.', output],
    ['length', output],
    ['walk(.)', output],
    ['flatten', output],
    ['tojson', output],
    ['tostring', output],
    ['@json', output],
    ['"\\(.)"', output],
    ['@base64', output],
    ['tojson | fromjson', 'Exceeds depth limit for parsing'],
    ['[.] | @csv', 'is not valid in a csv row'],
    ['{a: .} | keys', output],
    ['error', 'message'],
    ['try error catch .', output],
    ['. == .', output],
    ['. == [.]', 'Equality check too deep'],
    ['. < [.]', 'Comparison too deep'],
    ['[., [.]] | sort', 'Comparison too deep'],
    ['[., [.]] | unique', 'Comparison too deep'],
    ['[., [.]] | group_by(.)', 'Comparison too deep'],
    ['[., [.]] | min', 'Comparison too deep'],
    ['contains([.])', 'Containment check too deep'],
    ['[.] | index([$deep])', output],
    ['[..] | length', 'depth'],
    ['[paths] | length', 'depth'],
    ['[tostream] | length', 'steps'],
    ['[recurse(.[]?)] | length', 'depth'],
    ['(.. | numbers) |= 2', 'depth'],
    ['del(.. | numbers)', 'depth'],
    ['def w: if type == "array" then map(w) else . end; w', 'depth'],
    ['walk(., .)', 'depth'],
    ['getpath([range(9000) | 0])', output],
    ['setpath([range(9000) | 0]; 1)', output],
    ['delpaths([[range(9000) | 0]])', output],
    ['getpath([range(20000) | 0])', 'Path too deep'],
    ['{a: .} * {a: $deep}', output],
    ['[.] - [$deep]', output],
    ['join(",")', 'message'],
    ['transpose', output],
    ['from_entries', 'Cannot index array with string ("key")'],
    ['add', output],
    ['ascii_downcase', 'explode input must be a string'],
    ['test("a")', 'message'],
    ['[nan, .] | .[1]', output],
  ])('%s ends in order', (program, expected) => {
    const found = outcome(program, 50_000)
    if (expected === 'message') expect(found).toContain('[[[[[')
    else expect(found).toContain(expected)
  })

  test('is returned unchanged, and numbers are replaced for JSON only as deep as the host can recurse', () => {
    const deep = compile('reduce range(50000) as $i (1; [.])').first(null)
    expect(deep).toBeInstanceOf(Array)
    expect(() => compile('reduce range(50000) as $i (nan; [.])').first(null)).toThrow(expect.objectContaining({ limit: 'depth' }))
  })

  test('and is shorter than what may be read comes through fromjson, and a deeper one does not', () => {
    const text = (levels: number): Json => '['.repeat(levels) + ']'.repeat(levels)
    expect(compile('fromjson | length').first(text(10_000))).toBe(1)
    expect(() => compile('fromjson').first(text(10_001))).toThrow('Exceeds depth limit for parsing')
  })
})
