import { describe, expect, test } from 'vitest'
import { validateDefinition } from '#src/validate/validate-definition.ts'

const head = "document: { dsl: '1.0.3', namespace: test, name: test, version: '1.0.0' }\n"
const functions = [
  ...['agent', 'approve', 'email', 'model', 'tables.put', 'http.request'].map((name) => ({ name, version: '1.0.0' })),
  { name: 'mine.create', version: '2.1.0', output: { type: 'object', properties: { id: {} }, additionalProperties: false } },
  { name: 'mine.read', version: '2.1.0', output: { type: 'object', properties: { id: {} } } },
  // What comes with Millrace may be replaced by an installation.
  { name: 'files.stat', version: '1.0.0', output: {} },
]

function warnings(text: string) {
  const { diagnostics } = validateDefinition(head + text, { functions })
  return diagnostics.filter(({ code }) => code === 'replaced_data')
}

/** The place and the member of each warning. */
const lacks = (text: string) => warnings(text).map(({ pointer, message }) => `${pointer} ${/"(.*?)"/.exec(message)?.[1]}`)

/** A step that replaces the data by one member, `kept`, and one that reads. */
const after = (task: string) => `do:\n  - one: { set: { kept: 1 } }\n  - two: ${task}\n`
const setting = (source: string) => after(`{ set: { x: '\${ ${source} }' } }`)
const deciding = (source: string) => after(`{ if: '${source}', set: { x: 1 } }`)

describe('a member that a step before has replaced is reported', () => {
  test.each([
    '.gone',
    '.gone.part',
    '.["gone"]',
    '$input.gone',
    '"Hello \\(.gone)"',
    '{ gone }',
    '{ a: .gone }',
    '[.gone]',
    '.gone | tostring',
    '.gone == 1',
    '.kept + .gone',
    '. as $data | $data.gone',
    '. as $data | [1] | map(. + $data.gone)',
    'if .kept == 1 then { a: .gone } else 2 end',
    '.kept as $kept | .gone + $kept',
  ])('in a value: %s', (source) => {
    expect(lacks(setting(source))).toEqual(['/do/1/two/set/x gone'])
  })

  test.each([
    '.gone',
    '.gone > 100',
    '.gone == "big"',
    '.gone != "big"',
    '.gone == true',
    '.kept == 1 and .gone > 100',
    '.gone or .kept == 1',
    '.kept == 1 or (.kept == 2 and .gone)',
  ])('in a condition: %s', (source) => {
    expect(lacks(deciding(source))).toEqual(['/do/1/two/if gone'])
  })

  test.each<readonly [what: string, text: string, expected: readonly string[]]>([
    [
      'a case',
      after('{ switch: [{ a: { when: .kept > 1, then: exit } }, { b: { when: .gone > 1, then: exit } }] }'),
      ['/do/1/two/switch/1/b/when'],
    ],
    ['the input of a task', after('{ input: { from: .gone }, set: { x: 1 } }'), ['/do/1/two/input/from']],
    ['an argument', after("{ call: email, with: { to: '${ .gone }', subject: x, text: x } }"), ['/do/1/two/with/to']],
    ['a template of a URI', after("{ call: http, with: { method: get, endpoint: 'https://a.b/{gone}' } }"), ['/do/1/two/with/endpoint']],
    ['a pause', after("{ wait: '${ .gone }' }"), ['/do/1/two/wait']],
    ['the list of a loop', after('{ for: { in: .gone }, do: [{ a: { set: { x: 1 } } }] }'), ['/do/1/two/for/in']],
    [
      'the output of a task itself',
      "do: [{ one: { set: { kept: 1 }, output: { as: '${ . + { x: .gone } }' } } }]",
      ['/do/0/one/output/as'],
    ],
    [
      'the input of a task itself',
      "do: [{ one: { input: { from: { kept: '${ .a }' } }, set: { x: '${ .gone }' } } }]",
      ['/do/0/one/set/x'],
    ],
    ['the output of the workflow', 'do: [{ one: { set: { kept: 1 } } }]\noutput: { as: .gone }', ['/output/as']],
    [
      'data that passes through other tasks',
      "do: [{ one: { set: { kept: 1 } } }, { s: { switch: [{ a: { when: .kept > 1, then: exit } }] } }, { w: { wait: PT1S } }, { two: { set: { x: '${ .gone }' } } }]",
      ['/do/3/two/set/x'],
    ],
    [
      'both ways of a switch',
      "do: [{ s: { switch: [{ a: { when: .t > 1, then: b } }] } }, { a: { set: { x: 1 }, then: c } }, { b: { set: { y: 1 } } }, { c: { set: { z: '${ .x + .y + .gone }' } } }]",
      ['/do/3/c/set/z'],
    ],
    ['a group', "do: [{ g: { do: [{ one: { set: { kept: 1 } } }, { two: { set: { x: '${ .gone }' } } }] } }]", ['/do/0/g/do/1/two/set/x']],
    [
      'a try whose catch gives data of its own',
      "do: [{ t: { try: [{ one: { set: { kept: 1 } } }], catch: { do: [{ c: { set: { error: 1 } } }] } } }, { two: { set: { x: '${ .gone }' } } }]",
      ['/do/1/two/set/x'],
    ],
    [
      'members that were added',
      "do: [{ one: { set: { a: 1 } } }, { two: { set: '${ . + { b: 2 } }' } }, { three: { set: { x: '${ .a + .b + .gone }' } } }]",
      ['/do/2/three/set/x'],
    ],
    [
      'an approval',
      "do: [{ one: { call: approve, with: { title: x } } }, { two: { if: .approved, set: { x: '${ .gone }' } } }]",
      ['/do/1/two/set/x'],
    ],
    [
      'a model',
      "do: [{ one: { call: model, with: { prompt: x } } }, { two: { set: { x: '${ .data.label + .gone }' } } }]",
      ['/do/1/two/set/x'],
    ],
    [
      'a function of a connector',
      "do: [{ one: { call: tables.put, with: { table: a, key: b } } }, { two: { set: { x: '${ .row.key + .gone }' } } }]",
      ['/do/1/two/set/x'],
    ],
    [
      'a function of the account with a closed output',
      "do: [{ one: { call: 'mine.create' } }, { two: { set: { x: '${ .id + .gone }' } } }]",
      ['/do/1/two/set/x'],
    ],
    [
      'a whole response',
      "do: [{ one: { call: http, with: { method: get, endpoint: 'https://a.b', output: response } } }, { two: { set: { x: '${ .content.id + .gone }' } } }]",
      ['/do/1/two/set/x'],
    ],
    [
      'a whole process',
      "do: [{ one: { run: { script: { language: js, code: x }, return: all } } }, { two: { set: { x: '${ .stdout + .gone }' } } }]",
      ['/do/1/two/set/x'],
    ],
    [
      'an input schema without others',
      "input: { schema: { document: { properties: { kept: {} }, additionalProperties: false } } }\ndo: [{ one: { set: { x: '${ .kept + .gone }' } } }]",
      ['/do/0/one/set/x'],
    ],
  ])('in %s', (_, text, expected) => {
    expect(lacks(text)).toEqual(expected.map((pointer) => `${pointer} gone`))
  })
})

describe('nothing is reported', () => {
  test.each([
    '.kept',
    '.',
    'keys',
    '.gone // 1',
    '.gone.part // 1',
    '.kept // .gone',
    '.gone?',
    '.gone.part?',
    '.gone[]?',
    'try .gone catch 1',
    'has("gone")',
    '.gone == null',
    '.gone != null',
    '.gone == true',
    '.gone | not',
    '.gone | type',
    'if .gone then 1 else 2 end',
    'if has("gone") then { a: .gone } else 2 end',
    'if .gone == null then 1 else { a: .gone } end',
    '.gone = 1',
    '.gone |= 1',
    'del(.gone)',
    '{ gone: 1 } | .gone',
    '$steps.one.gone',
    '$workflow.input.gone',
    '[{ gone: 1 }] | map(.gone)',
    '"{}" | fromjson | .gone',
  ])('for %s in a value', (source) => {
    expect(lacks(setting(source))).toEqual([])
  })

  test.each([
    '.gone == null',
    '.gone | not',
    'has("gone")',
    '.gone != null and .gone > 1',
    'has("gone") and .gone > 1',
    '(.gone // 0) > 1',
  ])('for %s in a condition', (source) => {
    expect(lacks(deciding(source))).toEqual([])
  })

  test.each<readonly [what: string, text: string]>([
    [
      'the output of a call',
      "do: [{ one: { call: http, with: { method: get, endpoint: 'https://a.b' } } }, { two: { set: { x: '${ .gone }' } } }]",
    ],
    ['a request of a connection', "do: [{ one: { call: http.request } }, { two: { set: { x: '${ .gone }' } } }]"],
    ['a function with an open output', "do: [{ one: { call: mine.read } }, { two: { set: { x: '${ .gone }' } } }]"],
    ['a function whose schema says nothing', "do: [{ one: { call: files.stat } }, { two: { set: { x: '${ .gone }' } } }]"],
    [
      'a step that keeps the data',
      "do: [{ one: { call: tables.put, output: { as: '${ $input }' } } }, { two: { set: { x: '${ .gone }' } } }]",
    ],
    ['a skipped step', "do: [{ one: { if: .a, set: { kept: 1 } } }, { two: { set: { x: '${ .gone }' } } }]"],
    [
      'a step beside another way',
      "do: [{ s: { switch: [{ a: { when: .t > 1, then: two } }] } }, { one: { set: { kept: 1 } } }, { two: { set: { x: '${ .gone }' } } }]",
    ],
    [
      'a step that the flow leads back to',
      "do: [{ one: { set: { n: 1 } } }, { two: { set: { n: '${ .m }' } } }, { three: { set: { m: 1 } } }, { s: { switch: [{ a: { when: .m < 3, then: two } }] } }]",
    ],
    [
      'a step that only a later one leads to',
      "do: [{ one: { set: { kept: 1 }, then: three } }, { two: { set: { gone: 1 }, then: four } }, { three: { switch: [{ a: { when: .kept > 1, then: two } }, { b: { then: four } }] } }, { four: { set: { x: '${ .gone }' } } }]",
    ],
    [
      'the next iteration of a loop',
      "do: [{ zero: { set: { list: [1, 2] } } }, { l: { for: { in: .list }, do: [{ a: { set: { sum: '${ .sum + 1 }' } } }] } }]",
    ],
    [
      'the output of a try that passes its input on',
      "do: [{ t: { try: [{ one: { set: { kept: 1 } } }], catch: {} } }, { two: { set: { x: '${ .gone }' } } }]",
    ],
    [
      'a handler of an expression',
      "do: [{ one: { set: '${ try { kept: (.a | tonumber) } catch { gone: 1 } }' } }, { two: { set: { x: '${ .gone }' } } }]",
    ],
    [
      'the input with a result',
      "do: [{ one: { call: approve, with: { title: x }, output: { as: '${ $input + { ok: .approved } }' } } }, { two: { if: .ok, set: { x: '${ .gone }' } } }]",
    ],
    [
      'a function of the document',
      "use: { functions: { approve: { set: { gone: 1 } } } }\ndo: [{ one: { call: approve } }, { two: { set: { x: '${ .gone }' } } }]",
    ],
    ['another version of a function', "do: [{ one: { call: 'model:2.0.0' } }, { two: { set: { x: '${ .gone }' } } }]"],
    [
      'an input schema with others',
      "input: { schema: { document: { properties: { kept: {} } } } }\ndo: [{ one: { set: { x: '${ .gone }' } } }]",
    ],
    [
      'an extended workflow',
      "use: { extensions: [{ log: { extend: all, before: [{ a: { set: { gone: 1 } } }] } }] }\ndo: [{ one: { set: { kept: 1 } } }, { two: { set: { x: '${ .gone }' } } }]",
    ],
    ['an expression with another mistake', setting('.gone + $nothing')],
    ['data that only looks like an expression', after("{ set: { x: 'a .gone b' } }")],
    ['a script', after("{ run: { script: { language: js, code: 'it.gone' } } }")],
  ])('of %s', (_, text) => {
    expect(lacks(text)).toEqual([])
  })
})

describe('a warning', () => {
  test('names the member, what replaced the data, what is there instead, and what to write', () => {
    const [warning] = warnings(deciding('.kept == 1 and .gone > 100'))
    expect(warning).toMatchObject({
      severity: 'warning',
      message: 'The data here has no member "gone": the output of "one" replaced the data before, and has only kept.',
      hint: 'Write $workflow.input.gone, if that has it.',
      expression: { start: 15, end: 20 },
    })
  })

  const schema = 'input: { schema: { document: { properties: { gone: {} } } } }\n'
  const closed = 'input: { schema: { document: { properties: {}, additionalProperties: false } } }\n'
  test.each<readonly [what: string, text: string, hint: string | undefined]>([
    ['the input that its schema names', schema + setting('.gone'), 'Write $workflow.input.gone.'],
    [
      'the part of the input that the workflow takes',
      `input: { from: .body }\n${setting('.gone')}`,
      'Write $workflow.input.body.gone, if that has it.',
    ],
    [
      'the step that has it',
      `${closed}do: [{ a: { set: { gone: 1 } } }, { b: { set: { kept: 1 } } }, { c: { set: { x: '\${ .gone }' } } }]`,
      'Write $steps.a.gone.',
    ],
    [
      'a name that is no word',
      `${closed}do: [{ my-step: { set: { gone: 1 } } }, { b: { set: { kept: 1 } } }, { c: { set: { x: '\${ .gone }' } } }]`,
      'Write $steps["my-step"].gone.',
    ],
    [
      'all that have it',
      `${schema}do: [{ a: { set: { gone: 1 } } }, { b: { set: { kept: 1 } } }, { c: { set: { x: '\${ .gone }' } } }]`,
      'Write $workflow.input.gone or $steps.a.gone, whichever is meant.',
    ],
    [
      'a step that may have it',
      `${closed}do: [{ a: { call: http, with: { method: get, endpoint: 'https://a.b' } } }, { b: { set: { kept: 1 } } }, { c: { set: { x: '\${ .gone }' } } }]`,
      'Write $steps.a.gone, if that has it.',
    ],
    [
      'a step that ran in some runs',
      `${closed}do: [{ a: { if: '\${ $runtime.name == "x" }', set: { gone: 1 } } }, { b: { set: { kept: 1 } } }, { c: { set: { x: '\${ .gone }' } } }]`,
      'Write $steps.a.gone.',
    ],
    ['a misspelled member', setting('.kpet'), 'Did you mean .kept?'],
    ['a misspelled member of which the name alone stands in an object', setting('{ a: 1, kpet }'), 'Did you mean kpet: .kept?'],
    ['a member of which the name alone stands in an object', schema + setting('{ kept, gone }'), 'Write gone: $workflow.input.gone.'],
    [
      'a call that keeps the data',
      `${closed}do: [{ one: { call: tables.put } }, { two: { set: { x: '\${ .gone }' } } }]`,
      `Let "one" pass on what it got: output: { as: '\${ $input }' }.`,
    ],
    ['nothing that is known', `${closed}${setting('.gone')}`, undefined],
  ])('advises %s', (_, text, hint) => {
    expect(warnings(text).map((warning) => warning.hint)).toEqual([hint])
  })

  test.each<readonly [what: string, text: string, reason: string]>([
    [
      'several steps',
      "do: [{ s: { switch: [{ a: { when: .t > 1, then: b } }] } }, { a: { set: { x: 1 }, then: c } }, { b: { set: { y: 1 } } }, { c: { set: { z: '${ .gone }' } } }]",
      'the output of "a" or "b" replaced the data before, and has only x, y.',
    ],
    [
      'its own input',
      "do: [{ one: { input: { from: { kept: '${ .a }' } }, set: { x: '${ .gone }' } } }]",
      'input.from of this task leaves only kept.',
    ],
    ['its own output', 'do: [{ one: { set: { kept: 1 }, output: { as: .gone } } }]', 'this task has only kept in its output.'],
    ['the input schema', `${closed}do: [{ one: { set: { x: '\${ .gone }' } } }]`, 'the input schema of the workflow allows nothing.'],
    [
      'much',
      `do: [{ one: { set: { ${Array.from({ length: 9 }, (_, n) => `m${n}: 1`).join(', ')} } } }, { two: { set: { x: '\${ .gone }' } } }]`,
      'the output of "one" replaced the data before, and has only m0, m1, m2, m3, m4, m5, m6, m7, ….',
    ],
  ])('names %s', (_, text, reason) => {
    expect(warnings(text).map(({ message }) => message)).toEqual([`The data here has no member "gone": ${reason}`])
  })

  test('is given once for each place, and 200 times at most', () => {
    expect(warnings(setting('.gone + .gone'))).toHaveLength(1)
    const many = Array.from({ length: 300 }, (_, n) => `  - s${n}: { set: { x: '\${ .gone }' } }\n`).join('')
    expect(warnings(`do:\n${many}`)).toHaveLength(200)
  })
})
