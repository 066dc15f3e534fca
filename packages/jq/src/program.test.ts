import { describe, expect, test } from 'vitest'
import { compile, JqError, JqSyntaxError } from './index.ts'

function syntaxError(source: string, options: Parameters<typeof compile>[1] = {}): JqSyntaxError {
  try {
    compile(source, options)
  } catch (error) {
    if (error instanceof JqSyntaxError) return error
    throw error
  }
  throw new Error(`${source} compiles`)
}

describe('running a program', () => {
  test('run gives all outputs, first the first one', () => {
    expect(compile('.[]').run([1, 2, 3])).toEqual([1, 2, 3])
    expect(compile('.[]').first([1, 2, 3])).toBe(1)
    expect(compile('empty').first(null)).toBeUndefined()
    expect(compile('empty').run(null)).toEqual([])
  })

  test('first never computes what comes after the first output', () => {
    expect(compile('1, error("late")').first(null)).toBe(1)
    expect(compile('range(1e18)').first(null)).toBe(0)
  })

  test('each hands over the outputs before an error and stops when asked to', () => {
    const seen: unknown[] = []
    expect(() =>
      compile('1, 2, error("x")').each(null, (output) => {
        seen.push(output)
        return false
      }),
    ).toThrow(JqError)
    expect(seen).toEqual([1, 2])
    compile('range(1e18)').each(null, (output) => seen.push(output) === 4)
    expect(seen).toEqual([1, 2, 0, 1])
  })

  test('a program keeps nothing between runs', () => {
    const program = compile('reduce .[] as $x (0; . + $x)')
    expect([program.first([1, 2]), program.first([10]), program.first([])]).toEqual([3, 10, 0])
  })

  test('variables are given by name, and a missing one is null', () => {
    const program = compile('[$a, $b]', { variables: ['a', 'b'] })
    expect(program.first(null, { a: 1, b: [2] })).toEqual([1, [2]])
    expect(program.first(null, { a: 1 })).toEqual([1, null])
    expect(program.first(null)).toEqual([null, null])
  })

  test('a binding hides a given variable', () => {
    expect(compile('2 as $a | $a', { variables: ['a'] }).first(null, { a: 1 })).toBe(2)
  })

  test('undefined in an input of the host reads as null', () => {
    const input: Record<string, null> = {}
    Reflect.set(input, 'a', undefined)
    expect(compile('.a, (.a | type)').run(input)).toEqual([null, 'null'])
  })
})

describe('numbers that JSON cannot represent', () => {
  const largest = Number.MAX_VALUE

  test.each([
    ['nan', [null]],
    ['infinite, -infinite', [largest, -largest]],
    ['[nan, {a: infinite}]', [[null, { a: largest }]]],
    ['1e1000', [largest]],
    ['[-1e1000]', [[-largest]]],
    ['"nan" | tonumber', [null]],
    ['"[nan]" | fromjson', [[null]]],
    ['1e308 * 10', [largest]],
    ['-1 | log', [null]],
    ['0 | log', [-largest]],
    ['pow(10; 400)', [largest]],
  ] as const)('%s leaves the program as %j, which is what jq prints', (source, outputs) => {
    expect(compile(source).run(null)).toEqual(outputs)
  })

  test.each([
    ['. * 10', 1e308, largest],
    ['.a * 10', { a: 1e308 }, largest],
    ['.a.b * 10', { a: { b: 1e308 } }, largest],
    ['.a * .b', { a: 1e308, b: 10 }, largest],
    ['{x: (.a + .a)}', { a: 1.7e308 }, { x: largest }],
    ['[.[] | . - 1e308]', [-1.7e308, 1e308], [-largest, 0]],
    ['map(. / 1e-10)', [1e308], [largest]],
    ['add', [1.7e308, 1.7e308], largest],
    ['.a += 1.7e308', { a: 1.7e308 }, { a: largest }],
    ['reduce .[] as $x (1; . * $x)', [1e200, 1e200], largest],
    ['[., 2] | .[0] * (10, 20)', 1e308, largest],
  ] as const)('%s that overflows gives the largest double', (source, input, output) => {
    expect(compile(source).first(input)).toEqual(output)
  })

  test('inside the program they stay what they are', () => {
    expect(compile('[nan, infinite, . * 10] | map(isnan), map(isinfinite), (.[0] < .[0])').run(1e308)).toEqual([
      [true, false, false],
      [false, true, true],
      true,
    ])
  })

  test('an overflow in one run does not follow the next', () => {
    const program = compile('[. * 10]')
    const shared = [Number.NaN]
    expect(program.first(1e308)).toEqual([largest])
    expect(program.first(1)).toEqual([10])
    expect(compile('.').first(shared)).toBe(shared)
  })

  test('an error that is raised with such a number has a value that JSON can represent', () => {
    expect(() => compile('error(nan)').first(null)).toThrow(expect.objectContaining({ value: null }))
    expect(() => compile('error({a: infinite})').first(null)).toThrow(expect.objectContaining({ value: { a: largest } }))
    expect(() => compile('error([12345678901234567891])').run(null)).toThrow(expect.objectContaining({ value: [12345678901234567000] }))
    expect(compile('try error(nan) catch isnan').first(null)).toBe(true)
  })
})

describe('counts with a fraction', () => {
  test.each([
    ['[skip(0.5; 1, 2, 3)]', [1, 2, 3]],
    ['[skip(1.5; 1, 2, 3)]', [2, 3]],
    ['[skip(1; 1, 2, 3)]', [2, 3]],
    ['[skip(0; 1, 2, 3)]', [1, 2, 3]],
    ['[nth(0.5; 1, 2)]', [1]],
    ['[limit(0.5; 1, 2, 3)]', [1]],
    ['[limit(1.5; 1, 2, 3)]', [1, 2]],
    ['[path(skip(0.5; .[0], .[1]))]', [[0], [1]]],
  ] as const)('%s counts down past zero as jq does', (source, output) => {
    expect(compile(source).first([1, 2])).toEqual(output)
  })
})

describe('paths through what makes new values', () => {
  test.each(['ascii_upcase |= "x"', '(. + 0) |= 1', 'floor |= 1', '(tojson) |= "x"', '(ascii_downcase) |= "y"', 'length |= 1'])(
    '%s is refused, even where the new value looks like the old',
    (source) => {
      expect(() => compile(source).first(source.includes('ascii') ? '1' : 0)).toThrow('Invalid path expression')
    },
  )

  test.each([
    ['tostring |= "x"', 'a', 'x'],
    ['trim |= "x"', 'a', 'x'],
    ['ltrimstr("z") |= "x"', 'a', 'x'],
    ['(.a | select(. > 1)) |= 9', { a: 2 }, { a: 9 }],
    ['getpath(["a", "b"]) |= 1', null, { a: { b: 1 } }],
    ['first(.[]) |= 7', [1, 2], [7, 2]],
    ['limit(1; .[]) |= 7', [1, 2], [7, 2]],
    ['(reduce ("a", "b") as $key (.; .[$key])) |= 1', {}, { a: { b: 1 } }],
    ['[foreach ("a", "b") as $key (.; .[$key])] | length', {}, 2],
    ['path(foreach ("a", "b") as $key (.; .[$key]))', {}, ['a']],
    ['(.a // .b) |= 5', { a: null, b: 1 }, { a: null, b: 5 }],
    ['(if .a then .b else .c end) |= 5', { a: true, b: 1, c: 2 }, { a: true, b: 5, c: 2 }],
    ['(. as {a: $key} | .[$key]) |= 5', { a: 'b' }, { a: 'b', b: 5 }],
  ] as const)('%s finds its place', (source, input, output) => {
    expect(compile(source).first(input)).toEqual(output)
  })
})

describe('errors of a run', () => {
  test('an error carries the value that was thrown', () => {
    expect(() => compile('error({a: 1})').run(null)).toThrow(expect.objectContaining({ value: { a: 1 } }))
    expect(() => compile('error("text")').run(null)).toThrow('text')
    expect(() => compile('.a').run(1)).toThrow('Cannot index number with string ("a")')
  })

  test('an error downstream of a try is not caught by it', () => {
    expect(() => compile('(try (1, 2) catch "caught") | error("after")').run(null)).toThrow('after')
    expect(compile('try error("x") catch .').run(null)).toEqual(['x'])
  })
})

describe('errors of a program', () => {
  test.each([
    ['.a |', 'unexpected-token', 1, 4],
    ['.a\n| .b\n| foo', 'undefined-function', 3, 3],
    ['$x', 'undefined-variable', 1, 1],
    ['break $x', 'undefined-label', 1, 1],
    ['"\\q"', 'invalid-escape', 1, 2],
    ['"abc', 'unterminated-string', 1, 2],
    ['{1+2: 3}', 'object-key', 1, 2],
    ['{(1): 3}', 'constant-key', 1, 3],
    ['input', 'refused', 1, 1],
    ['$ENV', 'refused', 1, 1],
    ['1 | now', 'clock-required', 1, 5],
    ['import "a" as a; 1', 'module', 1, 1],
    ['', 'empty-program', 1, 1],
    ['# only a comment', 'empty-program', 1, 1],
    ['def f: 1;', 'empty-program', 1, 1],
  ] as const)('%j is %s at line %i, column %i', (source, code, line, column) => {
    expect(syntaxError(source)).toMatchObject({ code, line, column })
  })

  test('the span covers the text that is wrong, in UTF-16 units', () => {
    const source = '"😀" | foo(1)'
    const { span } = syntaxError(source)
    expect(source.slice(span.start, span.end)).toBe('foo')
  })

  test('what could have stood there is listed', () => {
    expect(syntaxError('. as 1 | 2').expected).toEqual(['BINDING', "'['", "'{'"])
    expect(syntaxError('[1').expected).toContain("']'")
  })

  test('a name with the wrong number of arguments is not defined', () => {
    expect(syntaxError('map').message).toBe('map/0 is not defined')
    expect(syntaxError('length(1)').message).toBe('length/1 is not defined')
  })
})

describe('the clock', () => {
  test('now is the clock that was given, in seconds', () => {
    expect(compile('now', { clock: () => 1_500 }).run(null)).toEqual([1.5])
    expect(compile('now | todate', { clock: () => 0 }).run(null)).toEqual(['1970-01-01T00:00:00Z'])
  })

  test('the local zone is UTC', () => {
    expect(compile('localtime | mktime', { clock: () => 0 }).run(86_400)).toEqual([86_400])
    expect(compile('strflocaltime("%H:%M %Z")', { clock: () => 0 }).run(0)).toEqual(['00:00 UTC'])
  })
})

describe('what a program reads', () => {
  test.each([
    ['.a.b + .c', ['.a.b', '.c']],
    ['.', ['.']],
    ['1', []],
    ['.items[] | {id, name: .title}', ['.items[].id', '.items[].title']],
    ['map(.a)', ['.[].a']],
    ['.a | length', ['.a']],
    ['.a, .a.b', ['.a']],
    ['if .ok then .yes else .no end', ['.no', '.ok', '.yes']],
    ['.a // .b', ['.a', '.b']],
    ['.["odd key"]', ['.["odd key"]']],
    ['"\\(.a)-\\(.b)"', ['.a', '.b']],
    ['.a as $x | .b', ['.a', '.b']],
    ['.a |= 1', ['.']],
    ['try .a catch 1', ['.a']],
    ['sort', ['.']],
    ['.list[0].x', ['.list[].x']],
  ] as const)('%s reads %j', (source, paths) => {
    expect(compile(source).reads.paths).toEqual(paths)
  })

  test('the variables that it uses, not those that it could', () => {
    const { reads } = compile('$a.x, (2 as $b | $b)', { variables: ['a', 'b', 'c'] })
    expect([...reads.variables]).toEqual(['a'])
  })

  test('only the clock makes it depend on more than its input', () => {
    expect(compile('.a', { clock: () => 0 }).reads.deterministic).toBe(true)
    expect(compile('now', { clock: () => 0 }).reads.deterministic).toBe(false)
    expect(compile('def f: if . > 1 then now else . + 1 | f end; f', { clock: () => 0 }).reads.deterministic).toBe(false)
  })
})

describe('big integers', () => {
  test('a literal that a double cannot represent keeps its digits until arithmetic', () => {
    expect(compile('12345678901234567891 | tojson, tostring, "\\(.)"').run(null)).toEqual(
      Array.from({ length: 3 }, () => '12345678901234567891'),
    )
    expect(compile('-12345678901234567891 | tojson').run(null)).toEqual(['-12345678901234567891'])
    expect(compile('"[12345678901234567891]" | fromjson | tojson').run(null)).toEqual(['[12345678901234567891]'])
    expect(compile('"12345678901234567891" | tonumber | abs | tojson').run(null)).toEqual(['12345678901234567891'])
    expect(compile('12345678901234567891 + 0 | tojson').run(null)).toEqual(['12345678901234567000'])
  })

  test('an output is always a number', () => {
    expect(compile('12345678901234567891, [12345678901234567891], {a: 12345678901234567891}').run(null)).toEqual([
      12345678901234567000,
      [12345678901234567000],
      { a: 12345678901234567000 },
    ])
    const hidden = compile('"{\\"__proto__\\": [12345678901234567891]}" | fromjson').first(null)
    expect(JSON.stringify(hidden)).toBe('{"__proto__":[12345678901234567000]}')
  })

  test('two of them compare exactly', () => {
    expect(compile('[12345678901234567891 == 12345678901234567892, 12345678901234567891 < 12345678901234567892]').first(null)).toEqual([
      false,
      true,
    ])
  })
})
