import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { inputReads } from './input-reads.ts'

/** Each read as its path, with `?` if it has a default or happens in some runs only. */
function reads(text: string): readonly string[] {
  return inputReads(parse(text)).map(({ path, needed }) => (needed ? path : `${path}?`))
}

/** The reads of a task that sets one value. */
function readsOf(expression: string): readonly string[] {
  return inputReads({ do: [{ one: { set: { value: `\${ ${expression} }` } } }] }).map(({ path, needed }) => (needed ? path : `${path}?`))
}

describe('what an expression certainly reads', () => {
  test.each<readonly [source: string, paths: readonly string[]]>([
    ['.orderId', ['orderId']],
    ['.customer.email', ['customer.email']],
    ['.customer, .customer.email', ['customer', 'customer.email?']],
    ['.["order-id"]', ['["order-id"]']],
    ['.customer["e-mail"]', ['customer["e-mail"]']],
    ['.items[].price', ['items[].price']],
    ['.items[0].price', ['items[].price']],
    ['.items | map(.price * .quantity) | add', ['items[].price', 'items[].quantity']],
    ['.items | length', ['items']],
    ['[.items[] | select(.ok) | .id]', ['items', 'items[].ok?', 'items[].id?']],
    ['.items | sort_by(.price) | first', ['items[].price']],
    ['"Hello \\(.name)"', ['name']],
    ['{ id: .order.id, total }', ['order.id', 'total']],
    ['{ order: .order } | .order.id', ['order.id']],
    ['.a + .b', ['a', 'b']],
    ['. as $all | .items[] | . + $all.currency', ['items[]', 'currency?']],
    ['.customer as $c | $c.name', ['customer.name']],
    ['reduce .items[] as $item (0; . + $item.price)', ['items[].price']],
    ['$workflow.input.orderId', ['orderId']],
    ['$input.orderId', ['orderId']],
    ['$context.orderId', ['orderId']],
    ['if .total > 10 then .big else .small end', ['total', 'big?', 'small?']],
    ['(. + { at: now }) | .name', ['name']],
    ['.at = now | .name', ['name']],
  ])('%s', (source, paths) => {
    expect(readsOf(source)).toEqual(paths)
  })

  test.each<readonly [why: string, source: string, paths: readonly string[]]>([
    ['an alternative is a default', '.name // "x"', ['name?']],
    ['a default counts for all that leads to it', '.customer.name // "x"', ['customer.name?']],
    ['a question mark', '.name?', ['name?']],
    ['a try', 'try .a.b catch "x"', ['a.b?']],
    ['an alternative of paths', '.mail // .email', ['mail?', 'email?']],
    ['a comparison with null', 'if .name == null then "x" else 1 end', ['name?']],
    ['a flag', 'if .urgent then 1 else 2 end', ['urgent?']],
    ['a comparison with a flag', '.urgent == true', ['urgent?']],
    ['and, or, not', '(.a and .b) or (.c | not)', ['a?', 'b?', 'c?']],
    ['the second part of and', '.a > 1 and .b > 1', ['a', 'b?']],
    ['an update', '.count += 1 | .count', ['count?']],
    ['a default that is put below', '({ currency: "EUR" } + .) | .currency', ['currency?']],
  ])('%s: %s is no certain read', (_, source, paths) => {
    expect(readsOf(source)).toEqual(paths)
  })

  test.each<readonly [why: string, source: string]>([
    ['all of the input is no path', '.'],
    ['every value is no path', '..'],
    ['a new object is not the input', '{ a: 1 } | .a'],
    ['a set member is not the input', '.a = 1 | .a'],
    ['a member over the input is not the input', '(. + { a: 1 }) | .a'],
    ['a computed name', '.[$workflow.id]'],
    ['an entry is not the input', 'to_entries | map(.key)'],
    ['a value from elsewhere', '$variables.shop + $secrets.key + $runtime.name'],
    ['another variable', '$steps.other.id'],
    ['a parsed text', '"{}" | fromjson | .id'],
    ['a recursive definition', 'def f: if . > 3 then . else .x | f end; f'],
    ['has asks and does not read', 'has("name")'],
    ['a deletion', 'del(.name)'],
    ['a path', '[paths]'],
    ['a bound value', '1 as $x | $x.name'],
    ['a mistake', '.a +'],
    ['an unknown variable', '$nothing.a + .b'],
    ['a text that only looks like it', '".name"'],
  ])('%s: %s reads nothing certain', (_, source) => {
    expect(readsOf(source)).toEqual([])
  })
})

describe('how data flows through a definition', () => {
  test.each<readonly [name: string, text: string, paths: readonly string[]]>([
    ['the input of the workflow is transformed first', 'input: { from: .body }\ndo: [{ a: { set: { x: "${ .id }" } } }]', ['body.id']],
    [
      'a made input reads what it is made of',
      'input: { from: "${ { a: .first } }" }\ndo: [{ a: { set: { x: "${ .a.b }" } } }]',
      ['first.b'],
    ],
    ['the raw input stays readable', 'input: { from: .body }\ndo: [{ a: { set: { x: "${ $workflow.input.head }" } } }]', ['body', 'head']],
    [
      'the input of a task',
      'do: [{ a: { input: { from: .order }, set: { x: "${ .id }", y: "${ $input.no }", z: "${ $task.input.all }" } } }]',
      ['order.id', 'order.no', 'all'],
    ],
    [
      'data of the input of a task',
      'do: [{ a: { input: { from: { id: "${ .orderId }" } }, set: { x: "${ .id.part }" } } }]',
      ['orderId.part'],
    ],
    [
      'a switch and a wait pass the input on',
      'do: [{ s: { switch: [{ c: { when: .total > 10, then: continue } }] } }, { w: { wait: PT1S } }, { a: { set: { x: "${ .id }" } } }]',
      ['total', 'id'],
    ],
    ['a task of a URI template', 'do: [{ a: { call: http, with: { method: get, endpoint: "https://a.b/{id}" } } }]', ['id']],
    [
      'an endpoint with authentication',
      'do: [{ a: { call: http, with: { method: get, endpoint: { uri: "https://a.b/{id}", authentication: { bearer: { token: "${ .token }" } } }, body: { a: ["${ .x }"] } } } }]',
      ['id', 'token', 'x'],
    ],
    ['a function', 'do: [{ a: { call: send, with: { to: "${ .email }" } } }]', ['email']],
    ['an event', 'do: [{ a: { emit: { event: { with: { type: t, data: { id: "${ .id }" } } } } } }]', ['id']],
    ['a script', 'do: [{ a: { run: { script: { language: js, code: "${ .no }", arguments: ["${ .id }"] } } } }]', ['id']],
    ['a child', 'do: [{ a: { run: { workflow: { namespace: n, name: w, version: 1.0.0, input: { id: "${ .id }" } } } } }]', ['id']],
    ['a raised error', 'do: [{ a: { raise: { error: { type: t, status: 400, detail: "${ .why }" } } } }]', ['why']],
    ['a pause', 'do: [{ a: { wait: "${ .delay }" } }]', ['delay']],
    ['a timeout', 'timeout: { after: "${ .limit }" }\ndo: [{ a: { wait: PT1S, timeout: { after: "${ .short }" } } }]', ['limit', 'short']],
    ['a step that sets an expression', 'do: [{ a: { set: .order } }, { b: { set: { x: "${ .id }" } } }]', ['order.id']],
    [
      'members that a step keeps',
      'do: [{ a: { set: { order: "${ .order }", n: 1 } } }, { b: { set: { x: "${ .order.id }", y: "${ .n }", z: "${ .total }" } } }]',
      ['order.id'],
    ],
    [
      'the input with a result added',
      'do: [{ a: { call: f, output: { as: "${ $input + { result: . } }" } } }, { b: { set: { x: "${ .result.id }", y: "${ .orderId }" } } }]',
      ['orderId'],
    ],
    [
      'the output of a step by its name',
      'do: [{ a: { set: { order: "${ .order }" } } }, { b: { call: f } }, { c: { set: { x: "${ $steps.a.order.id }" } } }]',
      ['order.id'],
    ],
    [
      'an exported context',
      'do: [{ a: { call: f, export: { as: "${ { id: $input.orderId } }" } } }, { b: { set: { x: "${ $context.id.part }", y: "${ $context.other }" } } }]',
      ['orderId.part'],
    ],
    ['a group', 'do: [{ g: { do: [{ a: { set: .order }  }] } }, { b: { set: { x: "${ .id }" } } }]', ['order.id']],
    ['a loop', 'do: [{ l: { for: { each: line, in: .lines }, do: [{ a: { set: { x: "${ $line.sku }" } } }] } }]', ['lines[].sku']],
    [
      'a loop reads other parts only if there are items',
      'do: [{ l: { for: { in: .lines }, do: [{ a: { set: { x: "${ $item.sku + $workflow.input.currency }" } } }] } }]',
      ['lines[].sku', 'currency?'],
    ],
    [
      'a concurrent loop gets the input in every iteration',
      'do: [{ l: { for: { in: .lines }, do: [{ a: { set: { x: "${ .currency }" } } }], metadata: { concurrency: 4 } } }]',
      ['lines', 'currency?'],
    ],
    [
      'branches of a fork',
      'do: [{ f: { fork: { branches: [{ a: { set: { x: "${ .a }" } } }, { b: { set: { x: "${ .b }" } } }] } } }]',
      ['a', 'b'],
    ],
    ['a race', 'do: [{ f: { fork: { compete: true, branches: [{ a: { set: { x: "${ .a }" } } }] } } }]', ['a?']],
    [
      'a try and its catch',
      'do: [{ t: { try: [{ a: { call: f, with: { x: "${ .a }" } } }], catch: { do: [{ b: { set: { x: "${ .b }" } } }] } } }]',
      ['a', 'b?'],
    ],
    ['a condition', 'do: [{ a: { if: .total > 10, set: { x: "${ .id }" } } }]', ['total', 'id?']],
    ['a condition that an absent value answers', 'do: [{ a: { if: .kind == "big", set: { x: 1 } } }]', ['kind?']],
    [
      'the second case of a switch',
      'do: [{ s: { switch: [{ a: { when: .a > 1, then: continue } }, { b: { when: .b > 1, then: exit } }] } }]',
      ['a', 'b?'],
    ],
    [
      'the ways of a switch',
      'do: [{ s: { switch: [{ a: { when: .t == "a", then: one } }, { b: { then: two } }] } }, { one: { set: { x: "${ .a }" }, then: last } }, { two: { set: { x: "${ .b }" } } }, { last: { set: { x: "${ $workflow.input.c }" } } }]',
      ['t?', 'a?', 'b?', 'c'],
    ],
    [
      'what an early end leaves out',
      'do: [{ s: { switch: [{ a: { when: .t == "a", then: end } }] } }, { one: { set: { x: "${ .a }" } } }]',
      ['t?', 'a?'],
    ],
    [
      'an end inside of a group',
      'do: [{ g: { do: [{ s: { switch: [{ a: { when: .t == "a", then: end } }] } }] } }, { one: { set: { x: "${ .a }" } } }]',
      ['t?', 'a?'],
    ],
    ['the output of the workflow', 'do: [{ a: { wait: PT1S } }]\noutput: { as: "${ { id: .id, c: $context.code } }" }', ['id', 'code']],
    [
      'labels have no value where it is absent',
      'document: { metadata: { labels: { order: "${ .orderId }", kind: fixed } } }\ndo: []',
      ['orderId?'],
    ],
    [
      'messages',
      'do: [{ l: { listen: { to: { one: { with: { type: t } } } }, foreach: { do: [{ a: { set: { x: "${ .no + $item.no + $workflow.input.id }" } } }] } } }]',
      ['id?'],
    ],
  ])('%s', (_, text, paths) => {
    expect(reads(text)).toEqual(paths)
  })

  test.each<readonly [name: string, text: string]>([
    ['the output of a call', 'do: [{ a: { call: f } }, { b: { set: { x: "${ .id }" } } }]'],
    ['the data that a step set', 'do: [{ a: { set: { n: 1 } } }, { b: { set: { x: "${ .id }" } } }]'],
    [
      'the output of a skipped or a made task',
      'do: [{ a: { if: "${ $runtime.name == null }", call: f, output: { as: "{ id: 1 }" } } }, { b: { input: { from: "{ id: 1 }" }, set: { x: "${ .id }" } } }]',
    ],
    [
      'the output of a loop and of an iteration before',
      'do: [{ l: { for: { in: [1, 2] }, do: [{ a: { set: { sum: "${ .sum + 1 }" } } }] } }, { b: { set: { x: "${ .sum }" } } }]',
    ],
    ['the outputs of a fork', 'do: [{ f: { fork: { branches: [{ a: { wait: PT1S } }] } } }, { b: { set: { x: "${ .id }" } } }]'],
    ['an event', 'do: [{ l: { listen: { to: { any: [] } } } }, { b: { set: { x: "${ .id }" } } }]'],
    [
      'a task that the flow leads back to',
      'do: [{ a: { set: { n: "${ .n + 1 }" } } }, { s: { switch: [{ again: { when: "${ .n < 3 }", then: a } }] } }]',
    ],
    ['a context that was exported', 'do: [{ a: { call: f, export: { as: . } } }, { b: { set: { x: "${ $context.id }" } } }]'],
    [
      'a context that a loop exports',
      'do: [{ l: { for: { in: [1] }, do: [{ a: { call: f, export: { as: . } } }] } }, { b: { set: { x: "${ $context.id }" } } }]',
    ],
    ['the error of a catch', 'do: [{ t: { try: [{ a: { call: f } }], catch: { do: [{ b: { set: { x: "${ $error.detail }" } } }] } } }]'],
    [
      'the output after an end elsewhere',
      'do: [{ s: { switch: [{ a: { when: "${ $runtime.name == null }", then: end } }] } }]\noutput: { as: .id }',
    ],
    ['code and texts', 'do: [{ a: { run: { shell: { command: "echo ${HOME} .id" } } } }, { b: { set: { x: "a ${ .name } b", y: .id } } }]'],
    ['a function on its own', 'use: { functions: { f: { set: { x: "${ .id }" } } } }\ndo: [{ a: { call: f } }]'],
    ['a workflow with a schema', 'input: { schema: { document: { type: object } } }\ndo: [{ a: { set: { x: "${ .id }" } } }]'],
    ['no definition', '[]'],
    ['a definition with mistakes', 'do: { a: 1 }\ninput: 5\nuse: 7\noutput: [x]'],
  ])('%s is not the input', (_, text) => {
    expect(reads(text)).toEqual([])
  })

  test('extensions may replace data and leave tasks out', () => {
    const text =
      'use: { extensions: [{ log: { extend: all } }] }\ndo: [{ a: { set: { x: "${ .id }" } } }, { b: { set: { x: "${ .other }" } } }]'
    expect(reads(text)).toEqual(['id?'])
  })

  test('a read names the first task that certainly does it', () => {
    const text = 'do: [{ a: { if: .urgent, set: { x: "${ .id }" } } }, { b: { do: [{ c/d: { set: { x: "${ $workflow.input.id }" } } }] } }]'
    expect(inputReads(parse(text))).toEqual([
      { path: 'urgent', needed: false, task: 'a', pointer: '/do/0/a' },
      { path: 'id', needed: true, task: 'c/d', pointer: '/do/1/b/do/0/c~1d' },
    ])
  })

  test('a read by the workflow itself has no task', () => {
    expect(inputReads({ input: { from: '.order' }, do: [] })).toEqual([
      { path: 'order', needed: true, task: undefined, pointer: '/input/from' },
    ])
  })

  test('five hundred steps are analysed in less than the time of a frame or two, and a hostile definition within a bound', () => {
    const steps = Array.from({ length: 500 }, (_, index) => ({
      [`step${index}`]: { set: { id: `\${ $workflow.input.p${index}.id }`, name: '${ "\\($steps.step0.id)" }' } },
    }))
    const copies = 'def f: .a, .b; '.concat(Array.from({ length: 12 }, (_, index) => `def f${index}: f | f; `).join(''), 'f11')
    const hostile = Array.from({ length: 5000 }, (_, index) => ({ [`step${index}`]: { set: `\${ . + { m${index}: (${copies}) } }` } }))
    inputReads({ do: steps })
    const started = startProcessorTime()
    expect(inputReads({ do: steps })).toHaveLength(200)
    expect(started()).toBeLessThan(400)
    inputReads({ do: hostile })
    expect(started()).toBeLessThan(4_000)
  })
})

test('values that share their parts are followed in bounded steps', () => {
  const build = (name: string, leaf: string) =>
    `{ x: .${leaf} } as $${name}0 | ${Array.from({ length: 60 }, (_, n) => `{ a: $${name}${n}, b: $${name}${n} } as $${name}${n + 1} | `).join('')}`
  const source = `${build('v', 'p')}${build('w', 'q')}if .z then $v60 else $w60 end`
  const found = inputReads({ do: [{ a: { set: `\${ ${source} }` } }, { b: { set: '${ $workflow.input.later }' } }] })
  expect(found.map(({ path }) => path)).toEqual(expect.arrayContaining(['p', 'q', 'z']))
})
