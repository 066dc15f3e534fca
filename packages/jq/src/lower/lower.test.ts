import { describe, expect, test } from 'vitest'
import { JqSyntaxError } from '#src/errors.ts'
import { createLibrary } from '#src/library.ts'
import { parse } from '#src/syntax/parser.ts'
import type { Ir } from './ir.ts'
import { lower } from './lower.ts'
import { visit } from './visit.ts'

function lowered(source: string, variables: readonly string[] = []): Ir {
  return lower(parse(source), { source, variables: new Set(variables), library: createLibrary(true) })
}

function refused(source: string, variables: readonly string[] = []): JqSyntaxError {
  try {
    lowered(source, variables)
  } catch (error) {
    if (error instanceof JqSyntaxError) return error
    throw error
  }
  throw new Error(`${source} is accepted`)
}

/** The number of nodes of each kind in a program. */
function kinds(source: string): Record<string, number> {
  const counts: Record<string, number> = {}
  visit(lowered(source), ({ kind }) => (counts[kind] = (counts[kind] ?? 0) + 1))
  return counts
}

describe('a node is known to have at most one output', () => {
  test.each([
    '.',
    '.a',
    '.a.b.c',
    '.a?',
    '.[0]',
    '.[1:2]',
    '.["a"]',
    '.[.key]',
    '1',
    '"text"',
    '"a \\(.b) c"',
    '@base64 "x\\(.a)"',
    '@json',
    '[.[]]',
    '[range(10)]',
    '{}',
    '{a: 1, b: .c}',
    '{(.key): .value}',
    '{a, "b", $__loc__}',
    '-.a',
    '.a + .b * 2',
    '.a == 1 and .b < 2 or (.c | not)',
    '.a // "none"',
    'if .a then .b else .c end',
    'if .a then .b end',
    'if .a then 1 elif .b then 2 else 3 end',
    'try .a',
    'try .a catch .',
    '.a | .b | length',
    'select(.age > 30)',
    'empty',
    'error("x")',
    'map(.a)',
    'map(.[])',
    'map_values(. + 1)',
    'with_entries(.value += 1)',
    'to_entries',
    'sort_by(.a, .b)',
    'group_by(.a)',
    'first(.[])',
    'last(.[])',
    'isempty(.[])',
    'any(.[]; . > 1)',
    'all',
    'add',
    'add(.[].a)',
    'INDEX(.id)',
    'del(.a, .b)',
    'del(.[])',
    '.a = 1',
    '.[] |= . + 1',
    '.a += 1',
    '.a //= 1',
    'reduce .[] as $x (0; . + $x)',
    'reduce .[] as [$a, $b] (0; . + $a)',
    '. as $x | $x',
    '. as [$a, {b: $c}] | $a + $c',
    '. as {("k"): $v} | $v',
    'def f: . + 1; f | f',
    'def f(g): [g]; f(.[])',
    'def f($x): $x + 1; f(2)',
    'def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; fac',
    'test("a")',
    'split(",")',
    'ltrimstr("a")',
    'join(",")',
    'walk(.)',
    'now | todate',
    '$__loc__',
    'tojson | fromjson',
  ])('%s', (source) => {
    expect(lowered(source).count).toBe('maybe')
  })
})

describe('a node may have any number of outputs', () => {
  test.each([
    '.[]',
    '.[]?',
    '.a[]',
    '.[].a',
    '..',
    '1, 2',
    'range(3)',
    'range(1; 5; 2)',
    'recurse(.a)',
    'repeat(1)',
    'while(. < 3; . + 1)',
    'path(..)',
    'paths',
    'tostream',
    'limit(2; 1, 2)',
    '{a: (1, 2)}',
    '{(.[]): 1}',
    '"\\(1, 2)"',
    '.[1, 2]',
    '.[:(1, 2)]',
    '(1, 2) + 1',
    '1 + (1, 2)',
    '-(1, 2)',
    '(true, false) and true',
    '(.a, .b) // 1',
    'if .[] then 1 else 2 end',
    'if . then .[] else 2 end',
    'try .[] catch 1',
    'try .a catch (1, 2)',
    '.[] as $x | $x',
    '. as $x | .[]',
    '. as [$a] ?// $a | $a',
    '. as {(.[]): $x} | $x',
    'foreach .[] as $x (0; . + 1)',
    'reduce .[] as $x ((0, 1); . + $x)',
    'label $out | 1',
    'def f: .[]; f',
    'def f(g): g; f(.[])',
    'def f($x): $x; f(1, 2)',
    'def r: ., (.[]? | r); r',
    'has("a", "b")',
    '.a = (1, 2)',
    'combinations',
    'match("a")',
    'scan("a")',
    'splits("a")',
    'getpath(["a"], ["b"])',
    'ltrimstr("a", "b")',
    'pow(2, 3; 2)',
    'fromstream(1 | truncate_stream(.[]))',
  ])('%s', (source) => {
    expect(lowered(source).count).toBe('many')
  })
})

describe('what is known before a run is computed before it', () => {
  test.each([
    ['1 + 2 * 3', 7],
    ['10 / 4', 2.5],
    ['-(2)', -2],
    ['-1 - -2', 1],
    ['1 == 1', true],
    ['1 != 1', false],
    ['1 < 2', true],
    ['2 <= 1', false],
    ['3 > 2', true],
    ['3 >= 4', false],
    ['[]', []],
    ['[1, "a", null]', [1, 'a', null]],
    ['[[1], [2, [3]]]', [[1], [2, [3]]]],
    ['{}', {}],
    ['{a: 1, "b": [2]}', { a: 1, b: [2] }],
    ['{a: {b: 1 + 1}}', { a: { b: 2 } }],
    ['{"__proto__": 1} | keys', undefined],
    ['def f: 3; f', 3],
    ['def f($x): $x; 1', 1],
    ['(1)', 1],
    ['. | 1', 1],
  ])('%s', (source, value) => {
    const ir = lowered(source)
    if (value === undefined) expect(ir.kind).not.toBe('constant')
    else expect(ir).toMatchObject({ kind: 'constant', value })
  })

  test.each(['1 / 0', '5 % 0', '5 % 3', '"a" + "b"', '[1] + [2]', 'null + 1', '1 + .', '{} == {}', 'nan < nan'])(
    '%s is left to the run, which may fail, count what it makes or see its input',
    (source) => {
      expect(lowered(source).kind).not.toBe('constant')
    },
  )

  test('a constant cannot be changed by who gets it', () => {
    const ir = lowered('[1, {a: []}]')
    expect(ir.kind === 'constant' && Object.isFrozen(ir.value)).toBe(true)
  })

  test('nothing is left of a pipe through the identity', () => {
    expect(lowered('. | .a | .')).toMatchObject({ kind: 'index', target: { kind: 'identity' } })
    expect(lowered('. | .').kind).toBe('identity')
  })
})

describe('definitions', () => {
  test('a small one is copied into its calls, closures included', () => {
    expect(kinds('def f(g): [g]; f(.a), f(.b)')).toEqual({ comma: 1, array: 2, index: 2, identity: 2, constant: 2 })
    expect(kinds('map(. + 1)')).not.toHaveProperty('call')
  })

  test('a value parameter becomes a binding', () => {
    expect(kinds('def f($x): $x + $x; f(.a)')).toMatchObject({ bind: 1, binary: 1, variable: 2 })
  })

  test('a recursive one is called, and all its calls share one routine', () => {
    const routines = new Set<unknown>()
    visit(lowered('def f: if . > 9 then . else . + 1 | f end; f, f'), (ir) => {
      if (ir.kind === 'call') routines.add(ir.routine)
    })
    expect(routines.size).toBe(1)
  })

  test('copying stops before the program explodes', () => {
    const doubling = Array.from({ length: 40 }, (_none, at) => `def f${at + 1}: f${at}, f${at};`).join(' ')
    let nodes = 0
    visit(lowered(`def f0: 1; ${doubling} f40`), () => nodes++)
    expect(nodes).toBeLessThan(20_000)
  })

  test('a call after that gives what the copy would have given', () => {
    const adding = Array.from({ length: 14 }, (_none, at) => `def f${at + 1}: f${at} | f${at};`).join(' ')
    let calls = 0
    visit(lowered(`def f0: . + 1; ${adding} f14`), ({ kind }) => (calls += kind === 'call' ? 1 : 0))
    expect(calls).toBeGreaterThan(0)
  })
})

describe('names that mean nothing', () => {
  test.each([
    ['foo', 'undefined-function', 'foo/0 is not defined', 'foo'],
    ['foo(1)', 'undefined-function', 'foo/1 is not defined', 'foo(1)'],
    ['map', 'undefined-function', 'map/0 is not defined', 'map'],
    ['length(1)', 'undefined-function', 'length/1 is not defined', 'length(1)'],
    ['limit(1)', 'undefined-function', 'limit/1 is not defined', 'limit(1)'],
    ['range(1; 2; 3; 4)', 'undefined-function', 'range/4 is not defined', 'range(1; 2; 3; 4)'],
    ['def f(x): x; f', 'undefined-function', 'f/0 is not defined', 'f'],
    ['def f: 1; f(2)', 'undefined-function', 'f/1 is not defined', 'f(2)'],
    ['def f(x): x(1); f(2)', 'undefined-function', 'x/1 is not defined', 'x(1)'],
    ['def f: g; def g: 1; f', 'undefined-function', 'g/0 is not defined', 'g'],
    ['(def f: 1; f) | f', 'undefined-function', 'f/0 is not defined', 'f'],
    ['def f(x): x; x', 'undefined-function', 'x/0 is not defined', 'x'],
    ['$x', 'undefined-variable', '$x is not defined', '$x'],
    ['(1 as $x | $x) | $x', 'undefined-variable', '$x is not defined', '$x'],
    ['$x as $x | 1', 'undefined-variable', '$x is not defined', '$x'],
    ['reduce .[] as $x ($x; .)', 'undefined-variable', '$x is not defined', '$x'],
    ['reduce .[] as $x (0; .) | $x', 'undefined-variable', '$x is not defined', '$x'],
    ['. as {($x): $x} | $x', 'undefined-variable', '$x is not defined', '$x'],
    ['def f(x): $x; f(1)', 'undefined-variable', '$x is not defined', '$x'],
    ['break $out', 'undefined-label', '$*label-out is not defined', 'break $out'],
    ['(label $out | 1) | break $out', 'undefined-label', '$*label-out is not defined', 'break $out'],
    ['1 as $out | break $out', 'undefined-label', '$*label-out is not defined', 'break $out'],
    ['label $x | $x', 'undefined-variable', '$x is not defined', '$x'],
    ['env.PATH', 'refused', 'env is not available: a program here has no process around it, only its input and variables', 'env'],
    ['$ENV.PATH', 'refused', '$ENV is not available: a program here reads nothing but its input and variables', '$ENV'],
    ['[inputs]', 'refused', 'inputs is not available: a program here has no process around it, only its input and variables', 'inputs'],
    [
      'debug("x")',
      'refused',
      'debug is not available: a program here has no process around it, only its input and variables',
      'debug("x")',
    ],
    [
      'halt_error',
      'refused',
      'halt_error is not available: a program here has no process around it, only its input and variables',
      'halt_error',
    ],
    ['get_search_list', 'refused', 'get_search_list is not available: a program here stands alone and has no modules', 'get_search_list'],
  ] as const)('%s', (source, code, message, place) => {
    const error = refused(source)
    expect({ code: error.code, message: error.message }).toEqual({ code, message })
    expect(place.startsWith(source.slice(error.span.start, error.span.end))).toBe(true)
    expect(error.span.end).toBeGreaterThan(error.span.start)
  })

  test('a name that is refused may be defined by the program itself', () => {
    expect(lowered('def input: 1; input')).toMatchObject({ kind: 'constant', value: 1 })
    expect(lowered('def env: {a: 2}; env.a').count).toBe('maybe')
  })

  test('a variable of the host counts as defined, a label or function of that name does not', () => {
    expect(lowered('$context.x', ['context']).count).toBe('maybe')
    expect(refused('context', ['context']).code).toBe('undefined-function')
    expect(refused('break $context', ['context']).code).toBe('undefined-label')
  })

  test('a name is resolved in code that never runs, too', () => {
    expect(refused('if true then 1 else foo end').code).toBe('undefined-function')
    expect(refused('empty | $x').code).toBe('undefined-variable')
    expect(refused('try foo catch 1').code).toBe('undefined-function')
  })

  test('without a clock its built-ins say so', () => {
    const library = createLibrary(false)
    for (const source of ['now', 'localtime', 'strflocaltime("%Y")']) {
      expect(() => lower(parse(source), { source, variables: new Set(), library })).toThrow(/needs a clock/)
    }
    expect(lower(parse('gmtime'), { source: 'gmtime', variables: new Set(), library }).kind).toBe('native')
  })
})
