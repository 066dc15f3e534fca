import { describe, expect, test } from 'vitest'
import { compile, type Json } from '#src/index.ts'

const first = (source: string, input: Json): Json | undefined => compile(source).first(input)

describe('an update with |=', () => {
  test.each([
    ['sees the old value', '.a |= . + 1', { a: 1 }, { a: 2 }],
    ['takes the first output alone', '.a |= (. + 1, . + 2, error("never"))', { a: 1 }, { a: 2 }],
    ['without an output deletes a field', '.a |= empty', { a: 1, b: 2 }, { b: 2 }],
    ['without an output deletes elements, all at the end', '.[] |= empty', [1, 2, 3], []],
    ['deletes just what it gives nothing for', '.[] |= select(. != 2)', [1, 2, 3, 2], [1, 3]],
    ['deletes by places of before the update', '(.[0], .[2]) |= empty', [1, 2, 3, 4], [2, 4]],
    ['without an output at the root gives null', '. |= empty', { a: 1 }, null],
    ['makes what is not there', '.a.b[1] |= 5', null, { a: { b: [null, 5] } }],
    ['reaches many places', '.[].n |= . * 2', [{ n: 1 }, { n: 2 }], [{ n: 2 }, { n: 4 }]],
    ['goes over the fields of an object', '.[] |= tostring', { a: 1, b: 2 }, { a: '1', b: '2' }],
    ['reaches a place twice when it is named twice', '(.a, .a) |= . + 1', { a: 1 }, { a: 3 }],
    ['applies to the second path the result of the first', '(.a, .b) |= [.]', { a: 1, b: 2 }, { a: [1], b: [2] }],
    [
      'goes through select',
      '(.[] | select(.on) | .n) |= 0',
      [
        { on: true, n: 1 },
        { on: false, n: 2 },
      ],
      [
        { on: true, n: 0 },
        { on: false, n: 2 },
      ],
    ],
    ['goes through recursion', '(.. | numbers) |= . + 1', [1, [2, { a: 3 }]], [2, [3, { a: 4 }]]],
    ['goes through if', '(if .x then .a else .b end) |= 9', { x: true, a: 1, b: 2 }, { x: true, a: 9, b: 2 }],
    ['goes through an alternative', '(.a // .b) |= 9', { a: false, b: 2 }, { a: false, b: 9 }],
    ['makes the last of an alternative when none is there', '(.a // .b) |= 9', {}, { b: 9 }],
    ['goes through try', '(.a | try .b catch empty) |= 9', { a: 1 }, { a: 1 }],
    ['goes through a definition', 'def inner: .a.b; inner |= 9', {}, { a: { b: 9 } }],
    [
      'goes through a recursive definition',
      'def leaf: if type == "array" then .[] | leaf else . end; leaf |= . + 1',
      [1, [2, [3]]],
      [2, [3, [4]]],
    ],
    ['goes through a closure', 'def at(f): f; at(.a, .b) |= 9', {}, { a: 9, b: 9 }],
    ['goes through a binding', '(. as {key: $k} | .[$k]) |= 9', { key: 'x' }, { key: 'x', x: 9 }],
    ['goes through a label', '(label $l | .a, break $l, .b) |= 9', {}, { a: 9 }],
    ['goes through first', 'first(.[] | select(. > 1)) |= 9', [1, 2, 3], [1, 9, 3]],
    ['goes through until', 'until(type == "number"; .next) |= 9', { next: { next: 1 } }, { next: { next: 9 } }],
    ['goes through while', 'while(. != null; .next?) .v? |= 9', { v: 1, next: { v: 2 } }, { v: 9, next: { v: 9 } }],
    ['goes through last of an array', 'last |= 9', [1, 2], [1, 9]],
    ['goes through limit', 'limit(2; .[]) |= 9', [1, 2, 3], [9, 9, 3]],
    ['goes through skip', 'skip(1; .[]) |= 9', [1, 2, 3], [1, 9, 9]],
    ['goes through nth', 'nth(1; .[]) |= 9', [1, 2, 3], [1, 9, 3]],
    ['goes through getpath', 'getpath(["a", 0]) |= 9', null, { a: [9] }],
    ['goes through getpath below null', 'getpath(["a", "b"]) |= 9', { a: null }, { a: { b: 9 } }],
    ['goes through recurse with an argument', 'recurse(.next?; . != null) .v |= 9', { v: 1, next: { v: 2 } }, { v: 9, next: { v: 9 } }],
    ['goes through paths of a reduce', '(reduce ("a", "b") as $k (.; .[$k])) |= 9', {}, { a: { b: 9 } }],
    ['goes through paths of a foreach', '[foreach ("a", "b") as $k (.; .[$k]; .)] | length | . |= .', {}, 2],
    ['replaces a slice', '.[1:3] |= map(. * 10)', [1, 2, 3, 4], [1, 20, 30, 4]],
    ['may change the length of a slice', '.[1:3] |= ["x"]', [1, 2, 3, 4], [1, 'x', 4]],
    ['deletes a slice', '.[1:3] |= empty', [1, 2, 3, 4], [1, 4]],
    ['goes into a slice', '.[1:][0] |= 9', [1, 2, 3], [1, 9, 3]],
    ['counts from the end', '.[-1] |= 9', [1, 2], [1, 9]],
    ['leaves the input when there is nothing to update', '.[] |= error("never")', [], []],
    ['takes optional fields of what has none', '.a? |= 9', 5, 5],
    ['treats __proto__ as a field', '.["__proto__"] |= 1 | keys', {}, ['__proto__']],
  ] as const)('%s', (_name, source, input, output) => {
    expect(first(source, input)).toEqual(output)
  })
})

describe('an assignment with =', () => {
  test.each([
    ['puts the same value everywhere', '(.a, .b[0]) = 1', null, { a: 1, b: [1] }],
    ['sees the whole input on its right', '.a = .b', { b: 2 }, { a: 2, b: 2 }],
    ['sees the input of before on its right', '(.a, .b) = .a', { a: 1 }, { a: 1, b: 1 }],
    ['fills an array with nulls', '.[3] = 1', [0], [0, null, null, 1]],
    ['reaches through null', '.a["b"][1].c = 1', null, { a: { b: [null, { c: 1 }] } }],
    ['replaces the root', '. = 1', { a: 1 }, 1],
    ['grows a slice', '.[2:] = [8, 9]', [1, 2, 3], [1, 2, 8, 9]],
    ['puts a slice beyond the end', '.[5:] = [1]', [0], [0, 1]],
    ['makes an array out of null by a slice', '.[0:1] = [1]', null, [1]],
    ['leaves the input without places', 'empty = 1', { a: 1 }, { a: 1 }],
    ['cuts a fraction off an index', '.[1.7] = 9', [1, 2], [1, 9]],
  ] as const)('%s', (_name, source, input, output) => {
    expect(first(source, input)).toEqual(output)
  })

  test('runs once for each value on its right', () => {
    expect(compile('.a = (1, 2)').run({})).toEqual([{ a: 1 }, { a: 2 }])
    expect(compile('.a = empty').run({})).toEqual([])
  })
})

describe('an arithmetic update', () => {
  test.each([
    ['.a += 1', { a: 1 }, { a: 2 }],
    ['.a += 1', {}, { a: 1 }],
    ['.a -= 1', { a: 1 }, { a: 0 }],
    ['.a *= 3', { a: 2 }, { a: 6 }],
    ['.a /= 2', { a: 3 }, { a: 1.5 }],
    ['.a %= 3', { a: 7 }, { a: 1 }],
    ['.a //= 5', { a: null }, { a: 5 }],
    ['.a //= 5', { a: false }, { a: 5 }],
    ['.a //= 5', { a: 0 }, { a: 0 }],
    ['.[] += 1', [1, 2], [2, 3]],
    ['.a += .b', { a: 1, b: 10 }, { a: 11, b: 10 }],
    ['(.a, .b) += .a', { a: 1, b: 10 }, { a: 2, b: 11 }],
    ['.a += ["x"]', { a: ['y'] }, { a: ['y', 'x'] }],
    ['.a += {b: 2}', { a: { c: 1 } }, { a: { c: 1, b: 2 } }],
    ['.a += "b"', { a: 'a' }, { a: 'ab' }],
    ['.a -= [1]', { a: [1, 2, 1] }, { a: [2] }],
    ['.a *= {b: {c: 1}}', { a: { b: { d: 2 } } }, { a: { b: { d: 2, c: 1 } } }],
    ['.a /= ","', { a: 'x,y' }, { a: ['x', 'y'] }],
  ] as const)('%s on %j', (source, input, output) => {
    expect(first(source, input)).toEqual(output)
  })

  test('runs once for each value on its right, the left side each time on the input', () => {
    expect(compile('.a += (1, 2)').run({ a: 10 })).toEqual([{ a: 11 }, { a: 12 }])
    expect(compile('.a //= (1, 2)').run({})).toEqual([{ a: 1 }, { a: 2 }])
    expect(compile('.a += empty').run({ a: 1 })).toEqual([])
  })

  test('reads its right side first, even where //= has no use for it', () => {
    expect(() => first('.a //= error("read")', { a: 1 })).toThrow('read')
  })
})

describe('deletion', () => {
  test.each([
    ['a field', 'del(.a)', { a: 1, b: 2 }, { b: 2 }],
    ['a field that is not there', 'del(.c)', { a: 1 }, { a: 1 }],
    ['a field of null', 'del(.a)', null, null],
    ['below what is not there', 'del(.a.b.c)', { a: null }, { a: null }],
    ['an element', 'del(.[1])', [1, 2, 3], [1, 3]],
    ['an element from the end', 'del(.[-1])', [1, 2, 3], [1, 2]],
    ['an element beyond the end', 'del(.[9])', [1, 2], [1, 2]],
    ['several elements by their places of before', 'del(.[0, 2])', [1, 2, 3], [2]],
    ['the same element twice', 'del(.[0], .[0])', [1, 2], [2]],
    ['a slice', 'del(.[1:])', [1, 2, 3], [1]],
    ['slices that overlap', 'del(.[0:2], .[1:3])', [1, 2, 3, 4], [4]],
    ['what a condition picks', 'del(.[] | select(. > 1))', [1, 2, 3], [1]],
    ['a parent and its child', 'del(.a, .a.b)', { a: { b: 1 }, c: 2 }, { c: 2 }],
    ['fields of every element', 'del(.[].x)', [{ x: 1, y: 2 }, { x: 3 }], [{ y: 2 }, {}]],
    ['everything', 'del(.)', { a: 1 }, null],
    ['nothing', 'del(empty)', { a: 1 }, { a: 1 }],
    ['through recursion', 'del(.. | .x?)', { x: 1, a: { x: 2, y: 3 } }, { a: { y: 3 } }],
    ['paths that are values', 'delpaths([["a", 0], ["b"]])', { a: [1, 2], b: 3 }, { a: [2] }],
    ['the root among the paths', 'delpaths([[], ["a"]])', { a: 1 }, null],
    ['with to_entries', 'with_entries(select(.value > 1))', { a: 1, b: 2 }, { b: 2 }],
  ] as const)('%s', (_name, source, input, output) => {
    expect(first(source, input)).toEqual(output)
  })
})

describe('paths as values', () => {
  test.each([
    ['path(.a[0].b)', null, [['a', 0, 'b']]],
    [
      'path(.a[])',
      { a: [1, 2] },
      [
        ['a', 0],
        ['a', 1],
      ],
    ],
    ['path(..)', [[1]], [[], [0], [0, 0]]],
    ['path(.a[1:2])', null, [['a', { start: 1, end: 2 }]]],
    ['path(.a, .b)', {}, [['a'], ['b']]],
    ['path(.a | select(.b))', { a: { b: false } }, []],
    ['path(first(.a, .b))', {}, [['a']]],
    ['path(limit(1; .a, .b))', {}, [['a']]],
    ['path(getpath(["a", "b"]))', null, [['a', 'b']]],
    ['path(getpath(["a", "b"]) | .c)', null, [['a', 'b', 'c']]],
    ['path(.a // .b)', { b: 1 }, [['b']]],
    ['path(if .a then .b else .c end)', { a: 1 }, [['b']]],
    ['path(.a?)', 1, []],
    ['path(try error("x") catch .)', 1, null],
    ['path(empty)', 1, []],
    ['path(1 | empty)', 1, []],
    ['[paths]', { a: [1] }, [[['a'], ['a', 0]]]],
    ['[paths(type == "number")]', { a: [1, 'x'], b: 2 }, [[['a', 0], ['b']]]],
    ['pick(.a.b)', { a: { b: 1, c: 2 }, d: 3 }, [{ a: { b: 1 } }]],
    ['pick(.[1])', [1, 2, 3], [[null, 2]]],
    ['pick(first(.a, .b))', { a: 1, b: 2 }, [{ a: 1 }]],
    ['[getpath(["a", "b"], ["c"])]', { a: { b: 1 } }, [[1, null]]],
    ['getpath([])', 5, [5]],
    ['getpath(["a", "b", "c"])', { a: null }, [null]],
    ['setpath([]; 1)', { a: 1 }, [1]],
    ['setpath(["a", 1]; 1)', null, [{ a: [null, 1] }]],
    ['[tostream]', { a: [1] }, [[[['a', 0], 1], [['a', 0]], [['a']]]]],
    ['fromstream(tostream)', { a: [1, { b: 2 }], c: [] }, [{ a: [1, { b: 2 }], c: [] }]],
    ['[1 | truncate_stream([[0], 1], [[1, 0], 2], [[1, 0]], [[1]])]', null, [[[[0], 2], [[0]]]]],
  ] as const)('%s on %j', (source, input, outputs) => {
    if (outputs === null) expect(() => compile(source).run(input)).toThrow('Invalid path expression')
    else expect(compile(source).run(input)).toEqual(outputs)
  })
})

describe('what cannot be updated', () => {
  test.each([
    ['.a = 1', 5, 'Cannot index number with string ("a")'],
    ['.[0] = 1', { a: 1 }, 'Cannot index object with number (0)'],
    ['.a = 1', [1], 'Cannot index array with string ("a")'],
    ['.[-5] = 1', [1], 'Out of bounds negative array index'],
    ['.[0:1] = 5', [1], 'A slice of an array can only be assigned another array'],
    ['.[0:1] = "x"', 'abc', 'Cannot update string slices'],
    ['.[] = 1', 5, 'Cannot iterate over number (5)'],
    ['.[nan] = 1', [1], 'Cannot set array element at NaN index'],
    ['.[600000000] = 1', [], 'Array index too large'],
    ['setpath("a"; 1)', null, 'Path must be specified as an array'],
    ['setpath([[1]]; 1)', [1], 'Cannot update field at array index of array'],
    ['setpath([[1], "a"]; 1)', [1], 'Cannot update field at array index of array'],
    ['del(.a)', [1], 'Cannot index array with string ("a")'],
    ['delpaths([["a"]])', [1], 'Cannot delete string element of array'],
    ['delpaths([[0]])', { a: 1 }, 'Cannot delete number field of object'],
    ['delpaths([["a"]])', 5, 'Cannot delete fields from number'],
    ['delpaths(1)', null, 'Paths must be specified as an array'],
    ['delpaths([1])', null, 'Path must be specified as array, not number'],
    ['(.a | tostring | .b) |= 1', { a: 1 }, 'Invalid path expression near attempt to access element "b" of "1"'],
    ['(.a + 1) = 1', { a: 1 }, 'Invalid path expression with result 2'],
    ['([.a])[0] = 1', { a: 1 }, 'Invalid path expression near attempt to access element 0 of [1]'],
    ['{a: .a}.a = 1', { a: 1 }, 'Invalid path expression near attempt to access element "a" of {"a":1}'],
    ['([1, 2] | .[]) |= 1', null, 'Invalid path expression near attempt to iterate through [1,2]'],
  ] as const)('%s on %j', (source, input, message) => {
    expect(() => compile(source).run(input)).toThrow(expect.objectContaining({ message }))
  })

  test('a value that an operator found equal to the input is a path only for null, true and false', () => {
    expect(compile('path(. + null)').run(null)).toEqual([[]])
    expect(compile('path(. == 1)').run(false)).toEqual([[]])
    expect(() => compile('path(. + 0)').run(1)).toThrow('Invalid path expression with result 1')
    expect(compile('(.[] = 1) |= {a: 1}').run([])).toEqual([{ a: 1 }])
    expect(() => compile('(.[] |= 1) |= {a: 1}').run([])).toThrow('near attempt to access element 0 of [[],[]]')
  })
})

describe('copy on write', () => {
  test('what an update leaves alone is shared with the input, what it touches is not', () => {
    const input = { a: { x: 1 }, b: { y: [1, 2] } }
    const output = first('.a.x = 2', input)
    expect(output).toEqual({ a: { x: 2 }, b: { y: [1, 2] } })
    expect(Reflect.get(Object(output), 'b')).toBe(input.b)
    expect(input.a).toEqual({ x: 1 })
  })

  test('two outputs of one update do not change each other', () => {
    expect(compile('.a.b = (1, 2) | .a.c = 3').run({ a: {} })).toEqual([{ a: { b: 1, c: 3 } }, { a: { b: 2, c: 3 } }])
    expect(compile('. as $x | (.[0] |= 5), $x').run([1])).toEqual([[5], [1]])
  })

  test('one value in two places is changed in one of them', () => {
    expect(first('. as $x | [$x, $x] | .[0].a = 2', { a: 1 })).toEqual([{ a: 2 }, { a: 1 }])
    expect(first('[.[0], .[0]] | .[1][0] = 9 | .[0][0] += 1', [[1]])).toEqual([[2], [9]])
  })

  test('a sum of arrays is no part of any of them', () => {
    expect(compile('. as $all | (add | .[0] = 9), $all').run([[1], [2]])).toEqual([
      [9, 2],
      [[1], [2]],
    ])
    expect(compile('. as $all | (add | .a = 9), $all').run([{ a: 1 }])).toEqual([{ a: 9 }, [{ a: 1 }]])
  })
})
