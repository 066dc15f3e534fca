import { describe, expect, test } from 'vitest'
import { compile, type Json } from '#src/index.ts'

const variables = ['context', 'input', 'a', 'b']

function reads(source: string): {
  readonly variables: readonly string[]
  readonly paths: readonly string[]
  readonly deterministic: boolean
} {
  const report = compile(source, { variables, clock: () => 0 }).reads
  return { variables: [...report.variables].toSorted(), paths: report.paths, deterministic: report.deterministic }
}

describe('paths', () => {
  test.each([
    ['a field', '.user', ['.user']],
    ['a field of a field', '.user.name', ['.user.name']],
    ['a field in quotes', '."user name".first', ['.["user name"].first']],
    ['a field in brackets', '.["user"]', ['.user']],
    ['an optional field', '.user?.name?', ['.user.name']],
    ['an index stands for any', '.items[0], .items[-1]', ['.items[]']],
    ['an iteration', '.items[].price', ['.items[].price']],
    ['a slice reads what it slices', '.items[2:4]', ['.items']],
    ['the bounds of a slice', '.items[.from:.to]', ['.from', '.items', '.to']],
    ['a computed key and what computes it', '.table[.key]', ['.key', '.table[]']],
    ['both sides of an operator', '.a + .b * .c', ['.a', '.b', '.c']],
    ['both sides of a comparison', '.a == .b', ['.a', '.b']],
    ['all of a condition', 'if .a then .b elif .c then .d else .e end', ['.a', '.b', '.c', '.d', '.e']],
    ['a condition without else gives the input', 'if .a then .b end', ['.']],
    ['an alternative', '.a // .b', ['.a', '.b']],
    ['both sides of and', '.a and (.b | not)', ['.a', '.b']],
    ['a comma', '.a, .b.c', ['.a', '.b.c']],
    ['a pipe', '.a | .b | .c', ['.a.b.c']],
    ['a pipe after an iteration', '.a[] | .b', ['.a[].b']],
    ['interpolations', '"\\(.a.b) and \\(.c)"', ['.a.b', '.c']],
    ['a format', '@uri "x=\\(.q)"', ['.q']],
    ['fields of a new object', '{id: .user.id, n: .count}', ['.count', '.user.id']],
    ['short fields of a new object', '{id, "name", "\\(.key)": 1}', ['.id', '.key', '.name']],
    ['keys of a new object', '{(.key): .value}', ['.key', '.value']],
    ['elements of a new array', '[.a, .b[]]', ['.a', '.b[]']],
    ['a try', 'try .a.b catch .x', ['.a.b']],
    ['a binding', '.a as $x | .b + $x', ['.a', '.b']],
    ['a binding that is not used', '.a as $x | 1', ['.a']],
    ['a pattern', '.a as [$x, {y: $z}] | $z', ['.a']],
    ['a label', 'label $l | .a, break $l', ['.a']],
    ['select over an iteration', '.items[] | select(.ok) | .id', ['.items[].id', '.items[].ok']],
    ['map', '.items | map(.id)', ['.items[].id']],
    ['a definition', 'def name: .first + .last; .user | name', ['.user.first', '.user.last']],
    ['a closure of a definition', 'def twice(f): f, f; .a | twice(.b)', ['.a.b']],
    ['negation', '-.a', ['.a']],
    ['recursion reads everything', '..', ['.']],
    ['a built-in reads what it is given', '.a | keys', ['.a']],
    ['an update gives the whole input', '.a = 1', ['.']],
    ['an arithmetic update gives the whole input', '.a += .b', ['.']],
    ['reduce', 'reduce .items[] as $x (0; . + $x.n)', ['.']],
    ['a constant after everything', '.a | 1', []],
    ['nothing', '1 + 1', []],
    ['nothing of the input but of a variable', '$context.id', []],
    ['empty', 'empty', []],
    ['a new value is not the input', '{a: 1} | .a', []],
    ['a shorter path covers the longer ones', '.a, .a.b, .a[].c', ['.a']],
    ['a path covers no other that only begins alike', '.ab, .a', ['.a', '.ab']],
    ['the identity covers everything', '., .a.b', ['.']],
    ['an odd key is written as in jq', '.["a-b"].c, .["1"]', ['.["1"]', '.["a-b"].c']],
  ])('%s: %s', (_name, source, paths) => {
    expect(reads(source).paths.filter((path) => path !== '.' || paths.includes('.'))).toEqual(paths)
  })

  /** An input in which every value differs. */
  const sample: Json = {
    a: { b: { c: 1 }, n: 2 },
    b: [{ c: 3 }, { c: 4 }],
    items: [
      { id: 1, ok: true, price: 2 },
      { id: 2, ok: false, price: 3 },
    ],
    key: 'a',
    user: { first: 'F', last: 'L', name: 'N' },
  }

  /** The input with everything gone that no path leads into. */
  function only(paths: readonly string[]): Json {
    const keep = new Set(paths.map((path) => /^\.(\w+)/.exec(path)?.[1] ?? ''))
    return paths.some((path) => !/^\.\w/.test(path))
      ? sample
      : Object.fromEntries(Object.entries(sample ?? {}).filter(([key]) => keep.has(key)))
  }

  test.each([
    '.a.b.c',
    '.items | map(select(.ok)) | map(.price) | add',
    '.user | {first, name: .name}',
    '.[.key]',
    '.items[0].id + (.b | length)',
    'if .key == "a" then .a.n else .b end',
    '[.items[] | {id, total: (.price * 2)}]',
    '.user as {first: $f} | $f + .user.last',
    'reduce .items[] as $x (0; . + $x.price)',
    '"\\(.user.name): \\(.items | length)"',
    'def total: [.[].price] | add; .items | total',
    '[.items[], .b[]] | length',
    '.a |= .n | .a',
    'to_entries | map(.key)',
    '.missing // .key',
    'try error(.key) catch .',
  ])('%s gives the same when the rest of the input is not there', (source) => {
    const program = compile(source)
    expect(program.run(only(program.reads.paths))).toEqual(program.run(sample))
  })
})

describe('variables', () => {
  test.each([
    ['$context.x + $input', ['context', 'input']],
    ['$a | $a', ['a']],
    ['1 as $a | $a', []],
    ['$a as $a | $a', ['a']],
    ['def f: $b; f', ['b']],
    ['def f($b): $b; f($a)', ['a']],
    ['if . then $a else $b end', ['a', 'b']],
    ['{$a, b: $b}', ['a', 'b']],
    ['.x[$a]', ['a']],
    ['. as {($a): $x} | $x', ['a']],
    ['reduce .[] as $a ($b; . + $a)', ['b']],
    ['def f: if . > 3 then $a else . + 1 | f end; f', ['a']],
    ['"\\($input)"', ['input']],
    ['path(.[$a])', ['a']],
    ['.x |= $b', ['b']],
    ['$__loc__', []],
  ])('%s uses %j', (source, names) => {
    expect(reads(source).variables).toEqual(names)
  })
})

describe('determinism', () => {
  test.each(['.a', '$a', '1', 'todate', 'gmtime', 'strftime("%Y")', 'localtime', 'strflocaltime("%Z")', 'def now: 1; now'])(
    '%s depends on nothing but input and variables',
    (source) => {
      expect(reads(source).deterministic).toBe(true)
    },
  )

  test.each([
    'now',
    '.a + now',
    '[now | todate]',
    'def f: now; f',
    'if .a then now else 1 end',
    '{at: now}',
    '.a |= now',
    'def f: if . > 3 then now else . + 1 | f end; f',
    'try now catch 1',
    '"\\(now)"',
    'select(now > 5)',
  ])('%s depends on the clock', (source) => {
    expect(reads(source).deterministic).toBe(false)
  })
})
