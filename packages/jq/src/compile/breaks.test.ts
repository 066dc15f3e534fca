import { describe, expect, test } from 'vitest'
import { compile, JqLimitError } from '#src/index.ts'

// jq 1.8.2 lets `try` see a break as an error, which README.md names as a bug there; its manual has a break leave to its label.
describe('a break is no error', () => {
  test.each([
    ['through try', '[label $out | try (1, break $out) catch 9]', [1]],
    ['through try without catch', '[label $out | try (1, break $out), 2]', [1]],
    ['through a question mark', '[label $out | (1, break $out)?, 3]', [1]],
    ['through several tries', '[label $out | try (try (1, break $out) catch 8) catch 9]', [1]],
    ['through a handler', '[label $out | try error("x") catch (1, break $out), 2]', [1]],
    ['through a pattern with another one after it', '[label $out | [1] as [$x] ?// $x | 1, break $out, 2]', [1]],
    ['through a definition with a try', 'def f(g): try g catch 9; [label $out | f(1, break $out)]', [1]],
    [
      'through a try in a fold',
      '[label $out | foreach (1, 2, 3) as $x (0; try (if $x == 2 then break $out else . + $x end) catch 9)]',
      [1],
    ],
    ['through a first', '[label $out | first((1, break $out) | select(. > 1)), 2]', []],
    ['and the label after it continues', '[(label $out | try (1, break $out) catch 9), 2]', [1, 2]],
  ])('it leaves %s', (_name, source, expected) => {
    expect(compile(source).first(null)).toEqual(expected)
  })

  test.each([
    ['first', '[try first(1, error("x")) catch 9]', [1]],
    ['limit', '[try limit(1; 1, error("x")) catch 9]', [1]],
    ['isempty', '[try isempty(1, error("x")) catch 9]', [false]],
    ['any', '[try any(true, error("x"); .) catch 9]', [true]],
    ['nth', '[try nth(0; 1, error("x")) catch 9]', [1]],
    ['IN', '[try (1 | IN(1, error("x"))) catch 9]', [true]],
  ])('%s stops its stream without an error that could be caught', (_name, source, expected) => {
    expect(compile(source).first(null)).toEqual(expected)
  })
})

describe('depth', () => {
  const limits = { depth: 200 }

  test.each([
    ['a definition that calls itself', 'def f: if . == 0 then "end" else [. - 1 | f] | .[0] end; f'],
    ['two that call each other', 'def f: def g: if . == 0 then "end" else [. - 1 | f][0] end; if . == 0 then "end" else g end; f'],
    ['one with a parameter', 'def f($n): if $n == 0 then "end" else [f($n - 1)][0] end; f(.)'],
    ['one with a closure', 'def f(g): if . == 0 then "end" else [. - 1 | f(g)][0] end; f(.)'],
    ['one in an argument', 'def f: if . == 0 then "end" else . - 1 | first(f) end; f'],
    ['one in an array', 'def f: if . == 0 then "end" else . - 1 | [f][0] end; f'],
    ['one in a condition', 'def f: if . == 0 then "end" else (. - 1 | f) as $x | $x end; f'],
    ['one in a try', 'def f: if . == 0 then "end" else try (. - 1 | f) catch . end; f'],
  ])('%s goes as deep as allowed and no deeper', (_name, source) => {
    const program = compile(source, { limits })
    expect(program.first(90)).toBe('end')
    expect(() => program.first(500)).toThrow('levels deep')
    expect(program.first(90)).toBe('end')
  })

  test.each([
    ['until', 'until(. == 0; . - 1)', 0],
    ['while', 'last(while(. > 0; . - 1))', 1],
    ['repeat', 'label $out | foreach repeat(1) as $x (0; . + 1; if . == 100000 then ., break $out else empty end)', 100_000],
    ['recurse', 'last(recurse(if . > 0 then . - 1 else empty end))', 0],
    ['range', 'last(range(.))', 99_999],
    ['limit', 'last(limit(.; repeat(1)))', 1],
    ['reduce', 'reduce range(.) as $x (0; . + 1)', 100_000],
    ['foreach', 'last(foreach range(.) as $x (0; . + 1))', 100_000],
    ['skip', 'first(skip(99999; range(.)))', 99_999],
    ['nth', 'nth(99999; range(.))', 99_999],
    ['any', 'any(range(.); . == 99999)', true],
    ['all', 'all(range(.); . < 100000)', true],
    ['add', 'add(range(.))', 4_999_950_000],
  ])('%s is a loop and needs none', (_name, source, output) => {
    expect(compile(source, { limits: { depth: 3 } }).first(100_000)).toBe(output)
  })

  test.each([
    ['printing', 'tojson | length', 1_000, 2_002],
    ['printing that is cut', 'tojson | length', 15_000, 20_023],
    ['reading', '[tojson | fromjson] | length', 9_000, 1],
    ['comparing', '. == (tojson | fromjson)', 9_000, true],
    ['ordering', '. < [.]', 9_000, true],
    ['ordering that is too deep', '. < [.]', 15_000, 'Comparison too deep'],
    ['flattening', 'flatten | length', 15_000, 0],
    ['containing', '. as $x | [.] | contains([$x])', 1_000, true],
    ['containing that is too deep', '. as $x | [.] | contains([$x])', 9_000, 'Containment check too deep'],
    ['all values', '[..] | length', 1_000, 1_001],
    ['all paths', '[paths] | length', 1_000, 1_000],
    ['a stream', '[tostream] | length', 1_000, 1_001],
    ['a walk', 'walk(.) | length', 1_000, 1],
  ])('%s: %s of a value of %i levels', (_name, source, levels, output) => {
    expect(compile(`reduce range(${levels}) as $i ([]; [.]) | try (${source}) catch .`).first(null)).toBe(output)
  })

  test.each(['[..]', 'walk(.)'])('%s of a value of 15,000 levels is an output or a limit, never a crash', (source) => {
    const program = compile(`reduce range(15000) as $i ([]; [.]) | ${source} | length`)
    let limit: unknown
    try {
      limit = typeof program.first(null)
    } catch (error) {
      limit = error instanceof JqLimitError ? error.limit : error
    }
    expect(['number', 'depth']).toContain(limit)
  })
})
