import { expect, test } from 'vitest'
import { type Absence, constant, objectOf, traceProgram, unknown } from './index.ts'

const data = objectOf(
  new Map([
    ['body', unknown],
    ['kind', constant('order')],
  ]),
  true,
)

/** The names of members that a program reads in vain; `elsewhere` for those of other values than its input. */
function lacks(source: string, as: 'value' | 'condition' = 'value'): readonly string[] {
  const found: string[] = []
  const note = ({ name, of }: Absence) => void found.push(of === data ? name : `${name} elsewhere`)
  traceProgram(source, {
    input: data,
    variables: new Map([['x', unknown]]),
    found: () => undefined,
    lacks: note,
    as,
    budget: { left: 1_000 },
  })
  return found
}

test.each<readonly [source: string, names: readonly string[]]>([
  ['.a', ['a']],
  ['.a.b', ['a']],
  ['.a[].b', ['a']],
  ['.a[0]', ['a']],
  ['.a as $v | $v.b + $v.c', ['a', 'a']],
  ['. as $all | .body | . + $all.a', ['a']],
  ['{ a: .b } | .c', ['b', 'c elsewhere']],
  ['.body.a + .a', ['a']],
  ['if .kind == "x" then { a: .b } else 1 end', ['b']],
  ['if .b == 1 then { a: .c } else 1 end', ['b']],
  ['if $x then { a: .c } else 1 end', ['c']],
  ['if (.body | has("a")) then { a: .c } else 1 end', []],
  ['if .b == null then 1 else { a: .b } end', []],
  ['first(.a)', ['a']],
  ['.a?', []],
  ['.a.b?', []],
  ['.a[]?', []],
  ['.a[1:]?', []],
  ['(.a)?', []],
  ['try .a', []],
  ['try error catch .a', []],
  ['.a // .b', []],
  ['.a == null, .a == true', []],
  ['.a == 1', ['a']],
  ['.a == .b', ['a', 'b']],
  ['[.body[] | select(.a)] | length', []],
  ['.body[] | .a', []],
  ['.kind.a', []],
])('what %s lacks: %j', (source, names) => {
  expect(lacks(source)).toEqual(names)
})

test.each<readonly [source: string, names: readonly string[]]>([
  ['.a', ['a']],
  ['.a == true', ['a']],
  ['.a == null', []],
  ['.a and .b', ['a']],
  ['.body and .b', ['b']],
  ['.kind == "x" and (.body.c or .b > 1)', ['b']],
  ['(.a | not) and .b', []],
  ['(.kind | not) and .b', []],
])('what the condition %s lacks: %j', (source, names) => {
  expect(lacks(source, 'condition')).toEqual(names)
})
