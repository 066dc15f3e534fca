import { describe, expect, test } from 'vitest'
import { createLibrary } from '#src/library.ts'
import { parse } from '#src/syntax/parser.ts'
import { ignoresInput } from './ignores-input.ts'
import { lower } from './lower.ts'
import { rebase } from './rebase.ts'
import type { Ir } from './ir.ts'

function lowered(source: string): Ir {
  return lower(parse(source), { source, variables: new Set(['x', 'y']), library: createLibrary(true) })
}

describe('a program that cannot see its input', () => {
  test.each([
    '1',
    '"text"',
    '$x',
    '$x.a.b',
    '$x[$y]',
    '$x[0:$y]',
    '[$x[]]',
    '[$x, 1]',
    '{a: $x}',
    '{$x}',
    '{($x): 1}',
    '"<\\($x)>"',
    '@base64 "\\($x)"',
    '-$x',
    '$x + $y',
    '$x and $y',
    '$x // $y',
    'if $x then $y else 1 end',
    '$x | length',
    '$x | .a | keys',
    '$x as $z | $z',
    '$x as [$z] | $z + 1',
    'reduce $x[] as $z (0; . + $z)',
    '[foreach range(3) as $z (0; . + $z)]',
    'try $x.a catch .',
    '$x.a?',
    'label $out | $x, break $out',
    'empty',
    'range(3)',
    'range($x; $y)',
    'first($x[])',
    '[limit(3; $x[])]',
    'now',
    'nan',
    'error("x")',
  ])('%s', (source) => {
    expect(ignoresInput(lowered(source))).toBe(true)
  })
})

describe('a program that may see its input', () => {
  test.each([
    '.',
    '.a',
    '.[0]',
    '$x[.a]',
    '$x[.a:]',
    '.[]',
    '[.]',
    '{a}',
    '{a: .}',
    '{(.a): 1}',
    '"\\(.)"',
    '@json',
    '-.a',
    '$x + .a',
    '.a + $x',
    '$x and .a',
    '$x // .',
    'if .a then 1 else 2 end',
    'if $x then . else 2 end',
    'length',
    'keys',
    '. as $z | 1',
    '$x as $z | .a',
    'reduce .[] as $z (0; . + $z)',
    'reduce $x[] as $z (.; . + [$z])',
    'try .a catch 1',
    'label $out | .',
    'first(.[])',
    'range(.)',
    '.a = 1',
    '.a |= 1',
    'path(.a)',
    'def f: if . then 1 else f end; f',
    'def f(g): if 1 then g else f(g) end; f($x)',
    'error',
    'tojson',
  ])('%s', (source) => {
    expect(ignoresInput(lowered(source))).toBe(false)
  })
})

describe('a program rebased to a place', () => {
  test.each([
    ['.a', '.a', '.'],
    ['.a + 1', '.a', '. + 1'],
    ['1 + .a', '.a', '1 + .'],
    ['(.a // []) + [$x]', '.a', '(. // []) + [$x]'],
    ['.a.b', '.a', '.b'],
    ['.a[$x]', '.a', '.[$x]'],
    ['.[$x] + 1', '.[$x]', '. + 1'],
    ['.a.b * 2', '.a.b', '. * 2'],
    ['[.a[], $x]', '.a', '[.[], $x]'],
    ['if .a then .a else 0 end', '.a', 'if . then . else 0 end'],
    ['.a and .a', '.a', '. and .'],
    ['.["k\\($x)"] + 1', '.["k\\($x)"]', '. + 1'],
    ['$x', '.a', '$x'],
    ['if .a > 3 then .a - 1 else $y end', '.a', 'if . > 3 then . - 1 else $y end'],
    ['[.a, .a]', '.a', '[., .]'],
  ])('%s rebased to %s is %s', (source, place, expected) => {
    const found = rebase(lowered(source), lowered(place))
    expect(found).toEqual(lowered(expected))
  })

  test.each([
    ['.', '.a'],
    ['.b', '.a'],
    ['.a + .b', '.a'],
    ['.a[.b]', '.a'],
    ['.a + length', '.a'],
    ['.[$x]', '.[$y]'],
    ['{a}', '.a'],
    ['.a as $z | $z', '.a'],
    ['.a?', '.a'],
    ['[.a, .]', '.a'],
    ['if . then .a else 1 end', '.a'],
    ['.a = 1', '.a'],
    ['keys', '.a'],
    ['.a[1:]', '.a'],
    ['"\\(.a)"', '.a'],
    ['reduce .a[] as $z (0; . + $z)', '.a'],
  ])('%s may read more of its input than %s', (source, place) => {
    expect(rebase(lowered(source), lowered(place))).toBeUndefined()
  })
})
