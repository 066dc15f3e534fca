import { describe, expect, test } from 'vitest'
import { compile, type Json } from '#src/index.ts'
import { confirmedByJq } from '#src/testing/confirmed.ts'

confirmedByJq('a fold never changes a value that is referred to elsewhere', [
  ['an element bound before it is changed', '[foreach (1, 2) as $x ({a: []}; .a as $s | .a += [$x]; .a)]', 'null', '[[1],[1,2]]'],
  ['a state bound on the way', 'reduce (1, 2) as $x ({a: []}; . as $s | .a += [$x] | .old = $s.a)', 'null', '{"a":[1,2],"old":[1]}'],
  ['states that were handed out', '[foreach (1, 2, 3) as $x ([]; . + [$x])]', 'null', '[[1],[1,2],[1,2,3]]'],
  ['objects that were handed out', '[foreach ("a", "b") as $x ({}; .[$x] = 1)]', 'null', '[{"a":1},{"a":1,"b":1}]'],
  ['a part that was handed out', '[foreach (1, 2) as $x ({a: [], n: 0}; .a += [$x] | .n += 1; .a)]', 'null', '[[1],[1,2]]'],
  ['a part inside a new array', '[foreach (1, 2) as $x ({a: []}; .a += [$x]; [[.a]])]', 'null', '[[[[1]]],[[[1,2]]]]'],
  ['the same part twice', 'reduce (1, 2) as $x ({a: []}; .a += [$x] | .b = .a | .a += [0])', 'null', '{"a":[1,0,2,0],"b":[1,0,2]}'],
  ['the state inside itself', 'reduce (1, 2) as $x ({n: 0}; .n += 1 | .me = .)', 'null', '{"n":2,"me":{"n":2,"me":{"n":1}}}'],
  ['the state doubled', 'reduce (1, 2) as $x ([0]; [., .] | .[0] += [$x])', 'null', '[[[0,1],[0],2],[[0,1],[0]]]'],
  ['a sum with itself', 'reduce (1, 2) as $x ([0]; . + . | .[0] = $x)', 'null', '[2,0,1,0]'],
  ['two fields made of one', 'reduce (1, 2) as $x ({a: []}; {a: (.a + [$x]), b: (.a + [9])})', 'null', '{"a":[1,2],"b":[1,9]}'],
  ['fields that change places', 'reduce (1, 2) as $x ({a: [], b: []}; {a: (.b + [$x]), b: (.a + [9])})', 'null', '{"a":[9,2],"b":[1,9]}'],
  ['the start', '[0] as $s | reduce (1, 2) as $x ($s; . + [$x]) | [., $s]', 'null', '[[0,1,2],[0]]'],
  ['the input', '. as $s | reduce (1, 2) as $x (.; .[0] += $x) | [., $s]', '[1]', '[[4],[1]]'],
  ['a constant of the program', '[range(2) | reduce (1, 2) as $x ({a: []}; .a += [$x])]', 'null', '[{"a":[1,2]},{"a":[1,2]}]'],
  ['what the fold goes over', 'reduce .[] as $x (.; . + [$x])', '[1,2]', '[1,2,1,2]'],
  ['an element put in twice', '[[1]] | reduce .[] as $x ([]; . + [$x, $x]) | .[0] += [2]', 'null', '[[1,2],[1]]'],
  ['an element that was put in', 'reduce [0] as $x ({}; .a = $x | .a += [1] | .b = $x)', 'null', '{"a":[0,1],"b":[0]}'],
  ['a value that a pattern took out', 'reduce (1, 2) as $x ({a: []}; . as {a: $s} | .a += [$x] | .b = $s)', 'null', '{"a":[1,2],"b":[1]}'],
  [
    'an error that carries the state',
    'reduce (1, 2) as $x ([]; . + [$x] | . as $s | try error(.) catch . + [0] | . + $s)',
    'null',
    '[1,0,1,2,0,1,0,1,2]',
  ],
  [
    'a step that is taken back',
    'reduce (1, 2) as $x ({a: []}; (try (.a += [9] | error("x")) catch null) // .a += [$x])',
    'null',
    '{"a":[1,2]}',
  ],
  ['an optional step that fails', 'reduce (1, 2) as $x ({a: []}; ((.a += [9] | error)?) // (.a += [$x]))', 'null', '{"a":[1,2]}'],
  [
    'a state that a step used up before it failed',
    'reduce ([1], [2]) as [$x] ?// $y ({a: [0]}; .a += [8] | .a += [9] | if $x == null then . else error("no") end)',
    'null',
    '{"a":[8,9]}',
  ],
  [
    'a state that a step of a foreach used up before it failed',
    '[foreach ([1], [2]) as [$x] ?// $y ({a: [0]}; .a += [8] | .a += [9] | if $x == null then . else error("no") end)]',
    'null',
    '[{"a":[8,9]},{"a":[8,9]}]',
  ],
  ['the first of two updates', 'reduce (1, 2) as $x ({a: []}; (.a += [$x], .a += [0]))', 'null', '{"a":[0,0]}'],
  ['the state of before in the first output', 'reduce (1, 2) as $x ({a: []}; first(.a += [$x], .a += [0]))', 'null', '{"a":[1,2]}'],
  [
    'an inner fold over parts of the state',
    'reduce (1, 2) as $x ([[0]]; reduce .[] as $y (.; . + [$y + [$x]]))',
    'null',
    '[[0],[0,1],[0,2],[0,1,2]]',
  ],
  [
    'an inner fold with two results',
    'reduce (1, 2) as $x ({a: []}; .a += [$x] | reduce 3 as $y (.; .b = .a, .c = .a))',
    'null',
    '{"a":[1,2],"c":[1,2]}',
  ],
  [
    'an inner fold that starts with a change',
    'reduce (1, 2) as $x ([]; reduce (7, 8) as $y (. + [$x]; . + [$y]))',
    'null',
    '[1,7,8,2,7,8]',
  ],
  ['a loop with an end', '[[], 0] | until(.[1] > 2; . as $s | .[1] += 1 | .[0] += [$s[0]])', 'null', '[[[],[[]],[[],[[]]]],3]'],
  ['an alternative that reads', 'reduce (1, 2) as $x ({a: []}; (.b // (.a += [$x])))', 'null', '{"a":[1,2]}'],
  [
    'a condition that reads',
    'reduce (1, 2) as $x ({a: []}; if .a == [] then .a += [$x] else .b = .a | .a += [0] end)',
    'null',
    '{"a":[1,0],"b":[1]}',
  ],
  ['a slice in the way', 'reduce (1, 2) as $x ([1, 2]; .[0] += 1 | .[0:2][2] = $x)', 'null', '[3,2,2,1]'],
  ['a whole slice that was bound', 'reduce (1, 2) as $x ([1]; . + [$x] | .[0:] as $s | .[0] = $s)', 'null', '[[[1,1],1,2],1,2]'],
  [
    'a merged object',
    'reduce (1, 2) as $x ({}; . * {a: {b: $x}} | .c = .a | . * {a: {d: $x}})',
    'null',
    '{"a":{"b":2,"d":2},"c":{"b":2,"d":1}}',
  ],
  [
    'a path that was set',
    'reduce (1, 2) as $x (null; setpath(["a", "b"]; $x) | .c = .a | setpath(["a", "d"]; 0))',
    'null',
    '{"a":{"b":2,"d":0},"c":{"b":2,"d":0}}',
  ],
  [
    'a state that a definition was given',
    'def f($s): .a += [0] | .b = $s.a; reduce (1, 2) as $x ({a: []}; f(.))',
    'null',
    '{"a":[0,0],"b":[0]}',
  ],
  ['an update that deletes', 'reduce (1, 2) as $x ({a: {b: [1]}}; .a.c = .a.b | .a.b |= empty)', 'null', '{"a":{"c":null}}'],
])

confirmedByJq('a fold that writes the same in other words', [
  [
    'adds to a group',
    'reduce .[] as $x ({}; .[$x.k] += [$x.v])',
    '[{"k":"a","v":1},{"k":"b","v":2},{"k":"a","v":3}]',
    '{"a":[1,3],"b":[2]}',
  ],
  ['makes a group first', 'reduce .[] as $x ({}; .[$x] = (.[$x] // []) + [1])', '["a","b","a"]', '{"a":[1,1],"b":[1]}'],
  ['counts', 'reduce .[] as $x ({}; .[$x] = (.[$x] // 0) + 1)', '["a","b","a"]', '{"a":2,"b":1}'],
  ['counts by an update', 'reduce .[] as $x ({}; .[$x] |= . + 1)', '["a","b","a"]', '{"a":2,"b":1}'],
  ['counts with a default', 'reduce .[] as $x ({}; .[$x] //= 10 | .[$x] -= 1)', '["a","b","a"]', '{"a":8,"b":9}'],
  ['merges one-field objects', 'reduce .[] as $x ({}; . + {($x): 1})', '["a","b","a"]', '{"a":1,"b":1}'],
  ['sets by place', 'reduce range(3) as $i ([]; .[$i] = $i * $i)', 'null', '[0,1,4]'],
  ['fills with null', 'reduce (3, 1) as $i ([]; .[$i] = $i)', 'null', '[null,1,null,3]'],
  ['sets from the end', 'reduce (7, 8) as $i ([0, 0]; .[-1] = $i | . + [0])', 'null', '[0,7,8,0]'],
  ['joins', 'reduce .[] as $x (""; if . == "" then $x else . + "," + $x end)', '["a","b"]', '"a,b"'],
  ['distinguishes a zero from a negated one', 'reduce (-1, 0) as $x ([0, 0]; .[0] *= $x | .[1] = .[0]) | tojson', 'null', '"[-0,-0]"'],
  ['keeps a default where nothing is', 'reduce empty as $x ({a: 1}; .a += 1)', 'null', '{"a":1}'],
  ['continues with null after a step without output', 'reduce (1, 2) as $x ([0]; if $x == 1 then empty else . end)', 'null', 'null'],
  ['reads what it wrote', 'reduce range(5) as $i ([1, 1]; . + [.[-1] + .[-2]])', 'null', '[1,1,2,3,5,8,13]'],
  ['nests groups', 'reduce .[] as [$a, $b] ({}; .[$a][$b] += 1)', '[["x","p"],["x","q"],["x","p"]]', '{"x":{"p":2,"q":1}}'],
  [
    'two folds in one',
    'reduce range(2) as $i ({}; reduce range(2) as $j (.; .["k\\($i)\\($j)"] = $i * $j))',
    'null',
    '{"k00":0,"k01":0,"k10":0,"k11":1}',
  ],
  ['rebuilds an object', 'reduce .[] as $x ({n: 0, l: []}; {n: (.n + 1), l: (.l + [$x])})', '[5,6]', '{"n":2,"l":[5,6]}'],
])

confirmedByJq('errors of a fold are those of the plain way', [
  ['the value comes first', 'reduce 1 as $x (0; .a = error("value"))', 'null', '! value'],
  ['then the access', 'reduce 1 as $x (0; .a = 1)', 'null', '! Cannot index number with string ("a")'],
  ['the last key comes first', 'reduce 1 as $x ({}; .[error("first")][error("last")] = 1)', 'null', '! last'],
  ['an error in a sum that names its place twice', 'reduce 1 as $x (5; .a = .a + error("right"))', 'null', '! right'],
  ['an update of the wrong type', 'reduce (1, 2) as $x ({a: []}; .a += $x)', 'null', '! array ([]) and number (1) cannot be added'],
  ['a text as the place of an array', 'reduce 1 as $x ([]; .["a"] += 1)', 'null', '! Cannot index array with string ("a")'],
  ['a place before the beginning', 'reduce 1 as $x ([]; .[-1] = 1)', 'null', '! Out of bounds negative array index'],
  ['an object as an addend of an array', 'reduce ([1], {}) as $x ([]; . + $x)', 'null', '! array ([1]) and object ({}) cannot be added'],
  ['fields of what is no object', 'reduce 1 as $x ([]; {a: (.a + 1)})', 'null', '! Cannot index array with string ("a")'],
  ['an object times an array', 'reduce 1 as $x ({}; . * [])', 'null', '! object ({}) and array ([]) cannot be multiplied'],
])

describe('a fold takes time and memory in proportion to its steps', () => {
  const count = 100_000
  test.each([
    ['keys set one by one', 'reduce range($n) as $i ({}; .["k\\($i)"] = $i) | length'],
    ['elements added one by one', 'reduce range($n) as $i ([]; . + [$i]) | length'],
    ['elements set one by one', 'reduce range($n) as $i ([]; .[$i] = $i) | length'],
    ['objects added', 'reduce range($n) as $i ({}; . + {"k\\($i)": 1}) | length'],
    ['objects merged', 'reduce range($n) as $i ({}; . * {a: {"k\\($i)": 1}}) | .a | length'],
    ['groups', 'reduce range($n) as $i ({}; .["k\\($i % 1000)"] += [$i]) | [.[] | length] | add'],
    ['groups in other words', 'reduce range($n) as $i ({}; .["k\\($i % 9)"] = (.["k\\($i % 9)"] // []) + [$i]) | [.[] | length] | add'],
    ['groups by an update', 'reduce range($n) as $i ({}; .["k\\($i % 9)"] |= (. // []) + [$i]) | [.[] | length] | add'],
    ['several fields', 'reduce range($n) as $i ({}; .n += 1 | .l += [$i] | .o["k\\($i)"] = true) | .n'],
    ['objects rebuilt', 'reduce range($n) as $i ({n: 0, l: []}; {n: (.n + 1), l: (.l + [$i])}) | .n'],
    ['a loop with an end', '{n: 0, l: []} | until(.n >= $n; .n += 1 | .l += [.n]) | .l | length'],
    ['paths set', 'reduce range($n) as $i (null; setpath(["a", "k\\($i)"]; $i)) | .a | length'],
    ['text put together', 'reduce range($n) as $i (""; . + "x") | length'],
    ['text put together with a question', 'reduce range($n) as $i (""; if . == "" then "x" else . + "x" end) | length'],
    ['a fold inside a fold', 'reduce range($n / 10) as $i ({}; reduce range(10) as $j (.; .["\\($i)-\\($j)"] = 1)) | length'],
    ['a value read out', 'reduce range($n) as $i ([]; . + [(.[-1] // -1) + 1]) | length'],
    ['a watched fold', 'last(foreach range($n) as $i ([]; . + [$i]; length))'],
    ['a stream put together', '[range($n)] | fromstream(tostream) | length'],
    ['places replaced in a text', '"a" * $n | gsub("a"; "b") | length'],
  ])('%s', (_name, source) => {
    expect(compile(source, { variables: ['n'] }).run(null, { n: count })).toEqual([count])
  })
})

describe('the input of a host', () => {
  test('is never changed by a fold that starts with it', () => {
    const input: Json = Object.freeze({ a: Object.freeze([1]), b: Object.freeze({ c: Object.freeze([]) }) })
    const program = compile('reduce (1, 2) as $x (.; .a += [$x] | .b.c += [$x] | .d = 1)')
    expect(program.first(input)).toEqual({ a: [1, 1, 2], b: { c: [1, 2] }, d: 1 })
    expect(input).toEqual({ a: [1], b: { c: [] } })
  })

  test('keeps the outputs of a run when it runs the program again', () => {
    const program = compile('reduce (1, 2) as $x ({a: []}; .a += [$x])')
    const before = program.first(null)
    program.first(null)
    expect(before).toEqual({ a: [1, 2] })
  })

  test('receives outputs of a fold that do not change in later steps of the fold', () => {
    const seen: Json[] = []
    compile('foreach range(3) as $x ({a: []}; .a += [$x])').each(null, (output) => {
      seen.push(structuredClone(output))
      return false
    })
    expect(seen).toEqual([{ a: [0] }, { a: [0, 1] }, { a: [0, 1, 2] }])
  })

  test('can keep a variable that a fold starts with', () => {
    const start: Json = Object.freeze([0])
    expect(compile('reduce (1, 2) as $x ($s; . + [$x]) | [., $s]', { variables: ['s'] }).first(null, { s: start })).toEqual([
      [0, 1, 2],
      [0],
    ])
  })
})
