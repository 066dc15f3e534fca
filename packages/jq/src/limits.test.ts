import { startProcessorTime } from '#src/testing/processor-time.ts'
import { describe, expect, test } from 'vitest'
import { compile, JqLimitError, type CompileOptions, type Json, type LimitName } from './index.ts'

type Limits = NonNullable<CompileOptions['limits']>

/** The limit that a run ends at; `undefined` when it ends by itself. */
function endedBy(program: string, input: Json, limits: Limits): LimitName | undefined {
  try {
    compile(program, { limits, clock: () => 0 }).run(input)
    return undefined
  } catch (error) {
    if (error instanceof JqLimitError) return error.limit
    throw error
  }
}

const numbers = (count: number): Json => Array.from({ length: count }, (_none, at) => at)
const texts = (count: number): Json => Array.from({ length: count }, (_none, at) => `t${at}`)
const pairs = (count: number): Json => Array.from({ length: count }, (_none, at) => [at, at])
const fields = (count: number): Json => Object.fromEntries(Array.from({ length: count }, (_none, at) => [`k${at}`, at]))
const letters = (count: number): Json => 'ab'.repeat(count / 2)
const accents = (count: number): Json => 'é😀'.repeat(count / 3)
const spaces = (count: number): Json => ' '.repeat(count)

const small = 12
const large = 30_000

describe('what is made counts towards size, in proportion to it', () => {
  const limits = { size: 10_000, steps: 1_000_000 }
  test.each([
    ['an array that is reversed', 'reverse', numbers],
    ['an array that is sorted', 'sort', numbers],
    ['an array that is sorted by a key', 'sort_by(-.)', numbers],
    ['groups', 'group_by(. % 2)', numbers],
    ['an array without doubles', 'unique', numbers],
    ['a flat array', 'flatten', pairs],
    ['a mapped array', 'map(. + 1)', numbers],
    ['a collected stream', '[.[] | select(true)]', numbers],
    ['a collected stream of several outputs', '[.[] | ., .]', numbers],
    ['a range', '[range(length)]', numbers],
    ['a slice', '.[1:]', numbers],
    ['a slice that is replaced', '.[1:3] = [9]', numbers],
    ['a copy with one element changed', '.[0] = 9', numbers],
    ['a copy with one element updated through a path', '(.[0] | select(true)) |= 9', numbers],
    ['a copy without an element', 'del(.[0])', numbers],
    ['a copy without several elements', 'del(.[0], .[2])', numbers],
    ['a sum of arrays', '. + [1]', numbers],
    ['a difference of arrays that keeps all', '. - [-1] | . + .', numbers],
    ['all arrays of an array added', 'add', pairs],
    ['all texts of an array added', 'add', texts],
    ['all objects of an array added', 'map({k: .}) | add(.[], .[])', numbers],
    ['an index of rows', 'INDEX(.[]; .)', numbers],
    ['the keys of an array', 'keys', numbers],
    ['entries of an array', 'to_entries', numbers],
    ['all paths', '[paths]', numbers],
    ['a stream of events', '[tostream]', numbers],
    ['a transposed matrix', 'transpose', pairs],
    ['joined text', 'join(", ")', texts],
    ['a row of CSV', '@csv', numbers],
    ['a row of TSV', '@tsv', texts],
    ['words for a shell', '@sh', texts],
    ['JSON text', 'tojson', numbers],
    ['JSON text in a string', '"\\(.)"', numbers],
    ['the keys of an object', 'keys', fields],
    ['entries of an object', 'to_entries', fields],
    ['an object with one field changed', '.k0 = 1', fields],
    ['an object with one field updated', '.k0 |= 1', fields],
    ['an object with one field less', 'del(.k0)', fields],
    ['an object merged', '. + {a: 1}', fields],
    ['an object merged deeply', '. * {a: 1}', fields],
    ['mapped fields', 'map_values(. + 1)', fields],
    ['fields rebuilt from entries', 'with_entries(.)', fields],
    ['a repeated text', '. * 2', letters],
    ['an appended text', '. + "x"', letters],
    ['an interpolated text', '"<\\(.)>"', letters],
    ['code points', 'explode', letters],
    ['text from code points', 'explode | implode', letters],
    ['upper case', 'ascii_upcase', letters],
    ['lower case', 'ascii_downcase', letters],
    ['characters', 'split("")', letters],
    ['parts', 'split("a")', letters],
    ['parts by a pattern', '[splits("a")]', letters],
    ['matches', '[match("a"; "g")]', letters],
    ['matches with groups', '[match("(a)(?<x>b)"; "g")]', letters],
    ['places of a text', 'indices("a")', letters],
    ['a replaced text', 'gsub("a"; "bb")', letters],
    ['base 64', '@base64', letters],
    ['text out of base 64', '@base64d', letters],
    ['base 32', '@base32', letters],
    ['an escaped address', '@uri', accents],
    ['escaped HTML', '@html', letters],
    ['JSON that is read', 'fromjson', (count: number) => JSON.stringify(numbers(count))],
    ['a formatted date', '"%Y" * length as $format | 0 | strftime($format)', letters],
    ['nulls before an element that is set', '. as $n | null | .[$n] = 1', (count: number) => count],
  ] as const)('%s', (_name, program, input) => {
    expect(endedBy(program, input(small), limits)).toBeUndefined()
    expect(endedBy(program, input(large), limits)).toBe('size')
  })
})

describe('what is read counts towards steps, in proportion to it', () => {
  const limits = { steps: 1_500 }
  test.each([
    ['a loop over an array', 'reduce .[] as $x (0; . + $x)', numbers],
    ['a fold that is watched', 'last(foreach .[] as $x (0; . + $x))', numbers],
    ['a sum', 'add', numbers],
    ['a question about all', 'all(.[]; . >= 0)', numbers],
    ['a search for one', 'any(.[]; . < 0)', numbers],
    ['the smallest', 'min', numbers],
    ['the largest by a key', 'max_by(-.)', numbers],
    ['a recursion into an array', '[..] | length', numbers],
    ['a recursion by hand', 'last(recurse(if . < 30000 then . + 1 else empty end))', (count: number) => 30_000 - count],
    ['a loop that counts', 'until(. == 0; . - 1)', (count: number) => count],
    ['a long loop', 'last(while(. > 0; . - 1))', (count: number) => count],
    ['a loop that repeats', '. as $n | last(limit($n; repeat(1)))', (count: number) => count],
    ['a range', 'last(range(.))', (count: number) => count],
    ['a range that is limited', '. as $n | last(limit($n; range(1e9)))', (count: number) => count],
    ['a range that is skipped', '. as $n | first(skip($n; range(1e9)))', (count: number) => count],
    ['a range with a step', 'last(range(0; . ; 1))', (count: number) => count],
    ['a range downwards', 'last(range(.; 0; -1))', (count: number) => count],
    ['combinations', '[[range(.)], [0]] | [combinations] | length', (count: number) => count],
    ['calls of a definition', 'def f: if . == 0 then 0 else . - 1 | f end; f', (count: number) => Math.min(count, 2_000)],
    ['a comparison of arrays', '. == (. + [] | .[:-1] + [-1])', numbers],
    ['an order of arrays', '. < (.[:-1] + [-1])', numbers],
    ['an inclusion', 'contains([-1])', numbers],
    ['a subtraction', '. - [1, 2]', numbers],
    ['a search in an array', 'index(-1)', numbers],
    ['a search for a part of an array', 'indices([-1, -2])', numbers],
    ['walking', 'walk(.)', numbers],
    ['fields that are counted', 'length', fields],
    ['fields that are compared', '. == (to_entries | from_entries)', fields],
    ['bytes that are counted', 'utf8bytelength', letters],
    ['blanks that are cut off', 'trim', spaces],
    ['a text that is searched', 'contains("aa")', letters],
    ['places of a text', 'indices("aa")', letters],
    ['a text that is split', 'split("aa") | length', letters],
    ['a text that is no number', 'tonumber?', letters],
    ['a text that is tested', 'test("c")', letters],
    ['a text that is searched for all matches', '[match("ab"; "g")] | length', letters],
    ['a text that is read as JSON', 'fromjson?', letters],
    ['a text that is read as a date', 'strptime("%Y")?', letters],
  ] as const)('%s', (_name, program, input) => {
    expect(endedBy(program, input(small), limits)).toBeUndefined()
    expect(endedBy(program, input(large), limits)).toBe('steps')
  })

  test('long texts that begin alike', () => {
    const twins = ['x'.repeat(5e6), `${'x'.repeat(5e6 - 1)}y`, 'x'.repeat(5e6)]
    expect(endedBy('[.[0] == .[1], .[0] == .[2]] | length', twins, { steps: 10_000 })).toBe('steps')
    expect(endedBy('.[0] < .[1]', twins, { steps: 10_000 })).toBe('steps')
    expect(endedBy('.[0] as $x | .[1] | startswith($x)', twins, { steps: 10_000 })).toBe('steps')
    expect(endedBy('.[0] == .[1]', ['x', 'y'], { steps: 10 })).toBeUndefined()
  })
})

describe('values that share their parts are far longer than they are large', () => {
  const shared = 'reduce range(40) as $i (1; [., .])'
  test.each([
    `${shared} | tojson`,
    `${shared} | @text`,
    `${shared} | "\\(.)"`,
    `${shared} | flatten`,
    `${shared} | [..] | length`,
    `${shared} | walk(.)`,
    `${shared} | [tostream] | length`,
    `${shared} | contains(reduce range(40) as $i (2; [.]))`,
    `${shared} | (.. | numbers) |= 2`,
    `${shared} as $x | $x == ${shared}`,
    `${shared} as $x | [$x, ${shared}] | unique`,
    'reduce range(40) as $i (1; {a: ., b: .}) | . * .',
    'reduce range(40) as $i (1; {a: ., b: .}) | [paths] | length',
  ])('%s ends at a limit', (program) => {
    expect(endedBy(program, null, { steps: 300_000, size: 300_000 })).toMatch(/^(?:steps|size)$/)
  })
})

describe('the deadline', () => {
  /** A clock that moves on by so much whenever it is read. */
  const ticking = (stepMs: number): (() => number) => {
    let now = 0
    return () => (now += stepMs)
  }
  const late = { limits: { deadlineMs: 10 } }

  test.each([
    ['a stream', 'last(range(1e6))', null],
    ['a sort', '[range(3e5)] | sort | length', null],
    ['copies of an array', '[range(1e5)] | reduce range(100) as $i (.; .[$i] = 0) | length', null],
    ['copies of an object', 'reduce range(2000) as $i ({}; .["k\\($i)"] = 0 | . as $seen | .) | length', null],
    ['printing', '[range(1e5)] | tojson | length', null],
    ['a long text in upper case', '"a" * 4e6 | ascii_upcase | length', null],
    ['a comparison', '[range(1e5)] as $x | $x == ($x | map(.))', null],
    ['matches in a long text', '[match("a|b"; "g")] | length', 'ab'.repeat(1_000)],
  ])('is looked at during %s', (_name, program, input) => {
    expect(() => compile(program, { ...late, elapsed: ticking(6) }).run(input)).toThrow(expect.objectContaining({ limit: 'deadline' }))
    expect(compile(program, { ...late, elapsed: () => 0 }).run(input)).toHaveLength(1)
  })

  test('a short run never reads the clock', () => {
    let reads = 0
    compile('.a.b + 1', { elapsed: () => reads++ }).first({ a: { b: 1 } })
    expect(reads).toBe(0)
  })

  test('begins anew with every run', () => {
    const program = compile('last(range(5e3))', { ...late, elapsed: ticking(3) })
    expect([program.first(null), program.first(null), program.first(null)]).toEqual([4_999, 4_999, 4_999])
  })

  test('of one program is nothing to another that runs inside its callback', () => {
    const inner = compile('last(range(1e5))', { limits: { steps: 1_000_000 } })
    const outer = compile('.[] | [range(1000)] == [range(1000)]', { limits: { steps: 100_000 } })
    const seen: Json[] = []
    outer.each([1, 2, 3], (output) => {
      seen.push(output, inner.first(null) ?? null)
      return false
    })
    expect(seen).toEqual([true, 99_999, true, 99_999, true, 99_999])
  })
})

describe('searches that the host does in quadratic time', () => {
  const half = 400_000
  test.each([
    ['a long text inside a longer one', 'contains("a" * 200000 + "b" + "a" * 200000)', [false]],
    ['every place of a long text', 'indices("a" * 400000) | length', [half + 1]],
    ['parts between long separators', 'split("a" * 300000) | map(length)', [[0, 0, 200_000]]],
  ])('%s are linear here', (_name, program, outputs) => {
    const started = startProcessorTime()
    expect(compile(program).run('a'.repeat(2 * half))).toEqual(outputs)
    expect(started()).toBeLessThan(2_000)
  })

  test.each(['(x*y)?', 'x*y|x', '(.*)(.*)(.*)(.*)y|.', '(?:a?){200}a{200}|x'])(
    'all matches of %s in a text where each search goes to its end stop at the deadline',
    (pattern) => {
      const started = startProcessorTime()
      const program = compile('[match($pattern; "g")] | length', { variables: ['pattern'], limits: { deadlineMs: 200 } })
      expect(() => program.first('x'.repeat(100_000), { pattern })).toThrow(JqLimitError)
      expect(started()).toBeLessThan(4_000)
    },
  )

  test('a large pattern ends by itself where it finds soon, and at the limit where it does not', () => {
    expect(endedBy('test("(?:a?){300}a{300}")', 'a'.repeat(1_000_000), {})).toBeUndefined()
    expect(endedBy('test("(?:a?){300}a{300}[^a]")', 'a'.repeat(1_000_000), { steps: 100_000 })).toBe('steps')
  })
})

describe('depth', () => {
  test('counts the calls that are open, not all of them', () => {
    const flat = 'def f: if . == 0 then 0 else . end; [range(100) | f] | length'
    expect(endedBy(flat, null, { depth: 5 })).toBeUndefined()
    expect(endedBy('def f: if . == 0 then 0 else 1 + (. - 1 | f) end; 3 | f', null, { depth: 5 })).toBeUndefined()
    expect(endedBy('def f: if . == 0 then 0 else 1 + (. - 1 | f) end; 9 | f', null, { depth: 5 })).toBe('depth')
  })

  test('does not count a call at the end of a definition, which takes the place of its own', () => {
    expect(endedBy('def f: if . == 0 then 0 else . - 1 | f end; 100000 | f', null, { depth: 5 })).toBeUndefined()
    expect(endedBy('def f($n): if $n == 0 then 0 elif $n == -1 then 1 else f($n - 1) end; f(100000)', null, { depth: 5 })).toBeUndefined()
    expect(endedBy('def f(g): if . == 0 then 0 else . - 1 | f(g) end; 100000 | f(.)', null, { depth: 5 })).toBeUndefined()
    expect(endedBy('def f: f; f', null, { depth: 5, steps: 100_000 })).toBe('steps')
  })

  test('is given back when an error, a break or the end of the wanted outputs leaves calls early', () => {
    const deep = 'def f: if . == 0 then error("x") else . - 1 | f end;'
    expect(endedBy(`${deep} [range(50) | try (3 | f) catch .] | length`, null, { depth: 6 })).toBeUndefined()
    expect(endedBy(`${deep} [range(50) | (3 | f)?] | length`, null, { depth: 6 })).toBeUndefined()
    expect(
      endedBy('def f: ., (. + 1 | f); [range(50) | label $l | f | if . > 3 then break $l else . end] | length', 0, { depth: 60 }),
    ).toBeUndefined()
    expect(endedBy('def f: ., (. + 1 | f); [range(50) | first(0 | f)] | length', null, { depth: 4 })).toBeUndefined()
    expect(endedBy('def f: ., (. + 1 | f); [range(50) | [limit(3; 0 | f)]] | length', null, { depth: 4 })).toBeUndefined()
  })

  test('covers calls in path expressions', () => {
    expect(endedBy('def f: .a | f; path(f)', null, { depth: 50 })).toBe('depth')
  })

  test('the end of the stack of the host is the same error', () => {
    expect(endedBy('def f: 1 + f; f', null, { depth: 1e9, steps: 1e9 })).toBe('depth')
  })
})

describe('outputs', () => {
  test('are counted by run and each, and first takes only one', () => {
    expect(endedBy('range(5)', null, { outputs: 4 })).toBe('outputs')
    expect(endedBy('range(4)', null, { outputs: 4 })).toBeUndefined()
    expect(compile('range(5)', { limits: { outputs: 1 } }).first(null)).toBe(0)
    const seen: Json[] = []
    const program = compile('range(5)', { limits: { outputs: 2 } })
    expect(() => program.each(null, (output) => seen.push(output) > 9)).toThrow(JqLimitError)
    expect(seen).toEqual([0, 1])
  })
})

describe('a limit ends the program, whatever it does about errors', () => {
  const limits = { steps: 500 }
  test.each([
    'try last(range(1e9)) catch "caught"',
    '[.[]?, last(range(1e9))?]',
    'last(range(1e9)) // "alternative"',
    'label $out | last(range(1e9)) | break $out',
    'first(last(range(1e9)), 1)',
    'isempty(last(range(1e9)))',
    '. as [$x] ?// $x | last(range(1e9))',
    'path(last(range(1e9)) | empty)',
    '.a |= last(range(1e9))',
    'reduce last(range(1e9)) as $x (0; 1)',
    'error(last(range(1e9)))',
    '{(last(range(1e9)) | tostring): 1}',
  ])('%s', (program) => {
    expect(endedBy(program, null, limits)).toBe('steps')
  })

  test('says in its message which limit it was and how much that is', () => {
    expect(() => compile('range(9)', { limits: { outputs: 3 } }).run(null)).toThrow('The program gave more than 3 outputs')
    expect(() => compile('last(range(99))', { limits: { steps: 9 } }).run(null)).toThrow('The program took more than 9 steps')
    expect(() => compile('[range(99)]', { limits: { size: 9 } }).run(null)).toThrow('The program made more than 9 elements and characters')
    expect(() => compile('def f: 1 + f; f', { limits: { depth: 9 } }).run(null)).toThrow('The program called more than 9 levels deep')
  })
})
