import { again, type Attack, runs, sets } from './attack.ts'

/** Pure computations by the reason of their cost. Each takes two seconds or more, or up to its limit. */
const expressions: Readonly<Record<string, string>> = {
  'regex with g': '("a" * 100000) | [match("a.*b|a"; "g")] | length',
  'regex with nested repetition': '("a" * 200000) | test("^(a|aa|aaa)+$")',
  'regex with a counted repetition': '("a" * 100000) | test("(a{1,100}){1,9}b")',
  'gsub of every letter': '("a" * 100000) | gsub("(?<x>a)"; .x + "b") | length',
  'sort of a large array': '[range(1000000)] | map(-.) | sort | length',
  'sort by a long text': '[range(30000)] | sort_by((. | tostring) * 100) | length',
  'group by': '[range(500000)] | group_by(. % 1000) | length',
  unique: '[range(500000)] | map(. % 100003 | tostring) | unique | length',
  'multiplication of texts': '[range(400)] | map("x" * 1000000 | length) | add',
  'repeated doubling of a text': 'reduce range(60) as $i ("xy"; . + .) | length',
  'repeated doubling of an array': 'reduce range(60) as $i ([1, 2]; . + .) | length',
  'doubly recursive function': 'def f($n): if $n == 0 then 0 else f($n - 1) + f($n - 1) end; f(60)',
  'endless recursion': 'def f: 1 + f; f',
  'endless tail recursion': 'def f: . + 1 | f; 0 | f',
  'tojson and fromjson': 'reduce range(500) as $i ([range(50000)]; tojson | fromjson) | length',
  'tojson of tojson': 'reduce range(60) as $i ("\\""; tojson) | length',
  'base64 of base64': 'reduce range(200) as $i ("abcd"; @base64) | length',
  paths: '[range(300000) | [.]] | [paths] | length',
  'leaf paths of a tree': 'reduce range(20) as $i (1; [., .]) | [leaf_paths] | length',
  'flatten of a tree': 'reduce range(24) as $i (1; [., .]) | flatten | length',
  'walk over a large array': '[range(1000000)] | walk(if type == "number" then . + 1 else . end) | length',
  combinations: '[[range(60)], [range(60)], [range(60)], [range(60)], [range(60)]] | [combinations] | length',
  'product of two arrays': '[range(6000)] as $a | [$a[] as $x | $a[] as $y | $x * $y] | add',
  until: '0 | until(. > 1000000000; . + 1)',
  'limit of repeat': 'last(limit(1000000000; 1 | repeat(. + 1)))',
  'reduce without an end': 'reduce range(1000000000000) as $i (0; . + $i)',
  'foreach without an end': 'last(foreach range(1000000000000) as $i (0; . + $i; .))',
  'contains in a large text': '("a" * 1000000) as $t | [range(3000)] | map(. as $i | $t | contains("a" * 5000 + "b\\($i)")) | any',
  'contains of nested arrays': '[range(4000)] as $a | $a | contains($a)',
  'indices of a text': '("ab" * 1000000) | [indices("ab")[]] | length',
  'split and join': 'reduce range(100) as $i ("a," * 100000; split(",") | join(",")) | length',
  'explode and implode': 'reduce range(100) as $i ("é" * 200000; explode | implode) | length',
  'dates of many seconds': '[range(1000000)] | map(strftime("%A %Y-%m-%dT%H:%M:%SZ")) | length',
  'an object key by key': 'reduce range(1000000) as $i ({}; .["k\\($i)"] = $i) | length',
  'an array place by place': 'reduce range(50000) as $i ([range(50000)]; .[$i] |= . + 1) | length',
  'entries there and back':
    'reduce range(100) as $i ([range(20000)] | map({ key: tostring, value: . }) | from_entries; to_entries | from_entries) | length',
  'deletion of every second place': '[range(400000)] | del(.[range(0; 400000; 2)]) | length',
  'text of a large array, often': '[range(200000)] as $a | [range(500)] | map($a | tostring | length) | add',
  'errors caught for ever': 'def f: try error("x") catch f; f',
}

const times = 10

/** Ten times as long, because the `try` around each expression continues with the next one after a failure. */
export const expressionAttacks: readonly Attack[] = [
  ...Object.entries(expressions).map(
    ([name, expression]): Attack => ({ name, family: 'expressions', open: runs({ do: again(times, sets(expression)) }) }),
  ),
  {
    name: 'a thousand small expressions, a hundred executions',
    family: 'expressions',
    lanes: 100,
    open: runs({ do: again(1_000, sets('reduce range(20000) as $j (0; . + $j)')) }),
  },
  {
    name: 'conditions and loops that compute',
    family: 'expressions',
    open: runs({
      do: [
        {
          loop: {
            for: { each: 'i', in: '${ [range(10)] }' },
            while: '${ reduce range(400000) as $j (0; . + $j) | . > 0 }',
            do: [{ act: { if: '${ reduce range(400000) as $j (0; . + $j) | . > 0 }', set: { a: 1 } } }],
          },
        },
      ],
    }),
  },
  {
    name: 'transformations of input, output and export that compute',
    family: 'expressions',
    open: runs({
      do: again(10, {
        input: { from: '${ reduce range(400000) as $j (0; . + $j) }' },
        output: { as: '${ reduce range(400000) as $j (0; . + $j) }' },
        export: { as: '${ reduce range(400000) as $j (0; . + $j) }' },
        set: { a: 1 },
      }),
    }),
  },
]
