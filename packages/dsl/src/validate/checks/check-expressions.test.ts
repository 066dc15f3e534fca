/* oxlint-disable vitest/expect-expect -- The helpers of testing/marked.ts assert. */
import { describe, expect, test } from 'vitest'
import { type Expected, expectDiagnostics, expectValid } from '#src/testing/marked.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

type Case = readonly [name: string, text: string, expected: readonly Expected[]]

describe('jq that cannot be read', () => {
  test.each([
    ['an open parenthesis', '(.a'],
    ['an open string', '.a == "x'],
    ['two operators', '.a + * .b'],
    ['words of another language', '.a && .b'],
    ['or of another language', '.a || .b'],
    ['strict equality', '.a === .b'],
    ['single quotes', ".a == 'x'"],
    ['nothing', ''],
    ['an open object', '{ a: .a'],
    ['an unknown function', 'lenght'],
    ['a wrong number of arguments', 'map'],
  ])('%s is reported inside of the expression', (_, source) => {
    const text = JSON.stringify({
      document: { dsl: '1.0.3', namespace: 'x', name: 'x', version: '1.0.0' },
      do: [{ a: { if: source, set: { x: 1 } } }],
    })
    const { diagnostics } = validateDefinition(text)
    expect(diagnostics).toHaveLength(1)
    const [found] = diagnostics
    expect(found).toMatchObject({ code: 'invalid_expression', severity: 'error', pointer: '/do/0/a/if' })
    expect(found?.hint).toMatch(/[.]$/)
    expect(found?.message).toMatch(/[.]$/)
    const { start = -1, end = -1 } = found?.expression ?? {}
    expect(start).toBeGreaterThanOrEqual(0)
    expect(end).toBeGreaterThanOrEqual(start)
    expect(end).toBeLessThanOrEqual(source.length)
  })

  test.each([
    ['.a && .b', 'Write "and"'],
    ['.a || .b', 'Write "or"'],
    [".a == 'x'", 'double quotes'],
    ['status == 5', 'Write .status for a property of the data'],
    ['foo(.a) | .b', 'Check the name of the function and the number of its arguments.'],
    ['test', 'Write .test for a property of the data'],
    ['.a ? 1 : 2', 'Write "if A then B else C end"'],
    ['.total => 5', 'Write >= in place of =>.'],
    ['${ .a }-${ .b }', 'one ${ … }'],
  ])('%s: %s', (source, hint) => {
    const { diagnostics } = validateDefinition(
      JSON.stringify({
        document: { dsl: '1.0.3', namespace: 'x', name: 'x', version: '1.0.0' },
        do: [{ a: { if: source, set: { x: 1 } } }],
      }),
    )
    expect(diagnostics[0]?.hint).toContain(hint)
  })
})

describe('the place of a mistake in the file', () => {
  const cases: readonly Case[] = [
    ['a bare expression', 'do: [ a: { if: .x == «$nope», set: { x: 1 } } ]', ['undefined_variable']],
    ['an enclosed expression', "do: [ a: { set: { x: '${ .x + «$nope» }' } } ]", ['undefined_variable']],
    ['in double quotes with escapes', 'do: [ a: { set: { x: "${ \\"é\\\\t\\" + «$nope» }" } } ]', ['undefined_variable']],
    ['in single quotes with quotes', "do: [ a: { set: { x: '${ \"it''s\" + «$nope» }' } } ]", ['undefined_variable']],
    ['in a literal block', 'do:\n  - a:\n      set: |\n        .\n          | .x\n          | «$nope»\n', ['undefined_variable']],
    ['in a folded block', 'do:\n  - a:\n      set: >-\n        ${ .x\n        | «$nope» }\n', ['undefined_variable']],
    ['over several plain lines', 'do:\n  - a:\n      if: .x ==\n        «$nope»\n      set: { x: 1 }\n', ['undefined_variable']],
    ['in an interpolation', 'do: [ a: { set: { x: \'${ "a \\(.x) b \\(«$nope») c" }\' } } ]', ['undefined_variable']],
    ['two in one expression', 'do: [ a: { if: «$one» == «$two», set: { x: 1 } } ]', ['undefined_variable', 'undefined_variable']],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expectDiagnostics(text, expected)
  })

  test('the span inside of the jq source is given as well', () => {
    const text = 'document: { dsl: 1.0.3, namespace: x, name: x, version: 1.0.0 }\ndo: [ a: { set: { x: "${ .x + $nope }" } } ]'
    const [found] = validateDefinition(text).diagnostics
    expect(' .x + $nope '.slice(found?.expression?.start, found?.expression?.end)).toBe('$nope')
  })

  test('the same variable is reported once for each expression', () => {
    expectDiagnostics('do: [ a: { if: «$nope» == $nope, set: { x: 1 } } ]', ['undefined_variable'])
  })
})

describe('variables by place', () => {
  const everywhere = ['secrets', 'workflow', 'runtime']
  const taskInput = [...everywhere, 'context', 'task', 'steps']
  const definition = [...taskInput, 'input', 'authorization']
  const all = [...definition, 'output', 'item', 'index', 'error']

  const places: readonly (readonly [name: string, text: (expression: string) => string, known: readonly string[]])[] = [
    ['workflow input.from', (e) => `input: { from: ${e} }\ndo: []`, everywhere],
    ['workflow output.as', (e) => `output: { as: ${e} }\ndo: []`, [...everywhere, 'context']],
    ['workflow timeout', (e) => `timeout: { after: '\${ ${e} }' }\ndo: []`, everywhere],
    ['schedule', (e) => `schedule: { on: { one: { with: { data: '\${ ${e} }' } } } }\ndo: []`, everywhere],
    ['if', (e) => `do: [ a: { if: ${e}, set: { x: 1 } } ]`, taskInput],
    ['input.from', (e) => `do: [ a: { input: { from: ${e} }, set: { x: 1 } } ]`, taskInput],
    ['input.from as an object', (e) => `do: [ a: { input: { from: { x: '\${ ${e} }' } }, set: { x: 1 } } ]`, taskInput],
    ['set', (e) => `do: [ a: { set: { x: [ '\${ ${e} }' ] } } ]`, definition],
    ['with', (e) => `do: [ a: { call: http, with: { method: get, endpoint: https://a.b, body: '\${ ${e} }' } } ]`, definition],
    ['timeout', (e) => `do: [ a: { set: { x: 1 }, timeout: { after: '\${ ${e} }' } } ]`, definition],
    ['when of a switch', (e) => `do: [ a: { switch: [ b: { when: ${e}, then: end } ] } ]`, definition],
    ['for.in', (e) => `do: [ a: { for: { in: ${e} }, do: [] } ]`, definition],
    ['output.as', (e) => `do: [ a: { set: { x: 1 }, output: { as: ${e} } } ]`, definition],
    ['export.as', (e) => `do: [ a: { set: { x: 1 }, export: { as: ${e} } } ]`, [...definition, 'output']],
    ['while', (e) => `do: [ a: { for: { in: .x }, while: ${e}, do: [] } ]`, [...definition, 'item', 'index']],
    ['if in a loop', (e) => `do: [ a: { for: { in: .x }, do: [ b: { if: ${e}, set: { x: 1 } } ] } ]`, [...taskInput, 'item', 'index']],
    ['set in a loop', (e) => `do: [ a: { for: { in: .x }, do: [ b: { set: { x: '\${ ${e} }' } } ] } ]`, [...definition, 'item', 'index']],
    ['output of a loop', (e) => `do: [ a: { for: { in: .x }, do: [], output: { as: ${e} } } ]`, definition],
    ['catch.when', (e) => `do: [ a: { try: [], catch: { when: ${e} } } ]`, [...definition, 'error']],
    ['catch.exceptWhen', (e) => `do: [ a: { try: [], catch: { exceptWhen: ${e} } } ]`, [...definition, 'error']],
    ['retry.when', (e) => `do: [ a: { try: [], catch: { retry: { when: ${e} } } } ]`, [...definition, 'error']],
    ['catch.do', (e) => `do: [ a: { try: [], catch: { do: [ b: { set: { x: '\${ ${e} }' } } ] } } ]`, [...definition, 'error']],
    ['try', (e) => `do: [ a: { try: [ b: { set: { x: '\${ ${e} }' } } ], catch: { then: end } } ]`, definition],
    [
      'foreach.do',
      (e) => `do: [ a: { listen: { to: { any: [] } }, foreach: { do: [ b: { set: { x: '\${ ${e} }' } } ] } } ]`,
      [...definition, 'item', 'index'],
    ],
    [
      'foreach.output',
      (e) => `do: [ a: { listen: { to: { any: [] } }, foreach: { output: { as: ${e} } } } ]`,
      [...definition, 'item', 'index'],
    ],
    [
      'foreach.export',
      (e) => `do: [ a: { listen: { to: { any: [] } }, foreach: { export: { as: ${e} } } } ]`,
      [...definition, 'output', 'item', 'index'],
    ],
    ['until', (e) => `do: [ a: { listen: { to: { any: [], until: ${e} } } } ]`, definition],
    ['a function', (e) => `use: { functions: { f: { set: { x: '\${ ${e} }' } } } }\ndo: []`, definition],
    ['an extension', (e) => `use: { extensions: [ x: { extend: all, when: ${e} } ] }\ndo: []`, definition],
    ['a retry policy of use, without a catch', (e) => `use: { retries: { r: { when: ${e} } } }\ndo: []`, [...definition, 'error']],
    [
      'a retry policy of use, with a catch',
      (e) => `use: { retries: { r: { when: ${e} } } }\ndo: [ a: { try: [], catch: { retry: r } } ]`,
      [...definition, 'error'],
    ],
  ]

  test.each(places.flatMap(([name, text, known]) => all.map((variable) => [name, variable, known.includes(variable), text] as const)))(
    '%s: $%s is known: %s',
    (_, variable, known, text) => {
      const { diagnostics } = validateDefinition(`document: { dsl: 1.0.3, namespace: x, name: x, version: 1.0.0 }\n${text(`$${variable}`)}`)
      expect(diagnostics.map(({ code }) => code)).toEqual(known ? [] : ['undefined_variable'])
    },
  )
})

describe('names of variables', () => {
  test('loops, iterators and catches name them', () => {
    expectValid(`
do:
  - a: { for: { each: pet, in: .pets, at: i }, while: $pet != null and $i < 3, do: [ b: { set: { x: '\${ [$pet, $i] }' } } ] }
  - c: { listen: { to: { any: [] } }, foreach: { item: event, at: n, do: [ d: { set: { x: '\${ $event }' } } ], output: { as: '[$event, $n]' } } }
  - e: { try: [], catch: { as: problem, when: $problem.status == 404, do: [ f: { set: { x: '\${ $problem }' } } ] } }
`)
  })

  test('the default is gone when there is another name', () => {
    expectDiagnostics('do: [ a: { for: { each: pet, in: .x, at: i }, do: [ b: { set: { x: "${ «$item», «$index» }" } } ] } ]', [
      { code: 'undefined_variable', hint: '$pet' },
      'undefined_variable',
    ])
    expectDiagnostics('do: [ a: { try: [], catch: { as: problem, when: «$error» != null } } ]', ['undefined_variable'])
  })

  test('variables of all loops around are known', () => {
    expectValid(`
do:
  - a:
      for: { each: x, in: .xs, at: i }
      do:
        - b: { for: { each: y, in: $x, at: j }, do: [ c: { try: [], catch: { do: [ d: { set: { all: '\${ [$x, $y, $i, $j, $error] }' } } ] } } ] }
`)
  })

  test('a function does not see the variables of its caller', () => {
    expectDiagnostics(
      'use: { functions: { f: { set: { x: "${ «$pet» }" } } } }\ndo: [ a: { for: { each: pet, in: .x }, do: [ b: { call: f } ] } ]',
      ['undefined_variable'],
    )
  })

  test('variables that the expression binds itself are known', () => {
    expectValid('do: [ a: { set: { x: "${ .a as $a | reduce .b[] as [$b, $c] ($a; . + $b + $c) }" } } ]')
  })

  test('a policy of use.retries reads the error under the names of the catches', () => {
    expectValid(`
use: { retries: { r: { when: '$problem.status == 503 or $error != null' } } }
do: [ a: { try: [], catch: { as: problem, retry: r } }, b: { try: [], catch: { retry: r } } ]
`)
  })
})

describe('what to write instead', () => {
  const cases: readonly Case[] = [
    [
      'a misspelled variable',
      'do: [ a: { set: { x: "${ «$contxt».y }" } } ]',
      [{ code: 'undefined_variable', message: 'There is no variable $contxt here.', hint: 'Did you mean $context?' }],
    ],
    ['$input in if', 'do: [ a: { if: «$input».x, set: { x: 1 } } ]', [{ code: 'undefined_variable', hint: 'Write . (a dot)' }]],
    ['$input in the workflow input', 'input: { from: «$input».x }\ndo: []', [{ code: 'undefined_variable', hint: '$workflow.input' }]],
    ['$input in the workflow output', 'output: { as: «$input».x }\ndo: []', [{ code: 'undefined_variable', hint: '$workflow.input' }]],
    [
      '$output in output.as',
      'do: [ a: { set: { x: 1 }, output: { as: «$output».x } } ]',
      [{ code: 'undefined_variable', hint: 'Write . (a dot)' }],
    ],
    ['$output in set', 'do: [ a: { set: { x: "${ «$output» }" } } ]', [{ code: 'undefined_variable', hint: 'export.as only' }]],
    [
      '$context in the workflow input',
      'input: { from: «$context» }\ndo: []',
      [{ code: 'undefined_variable', hint: 'empty before the first task' }],
    ],
    [
      '$authorization in if',
      'do: [ a: { if: «$authorization».scheme == "x", set: { x: 1 } } ]',
      [{ code: 'undefined_variable', hint: 'inside of a task' }],
    ],
    [
      '$task in the workflow output',
      'output: { as: «$task».name }\ndo: []',
      [{ code: 'undefined_variable', hint: 'inside of tasks only' }],
    ],
    ['nothing like it', 'do: [ a: { set: { x: "${ «$qqqqqqqq» }" } } ]', [{ code: 'undefined_variable', hint: 'Known here are $context' }]],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expectDiagnostics(text, expected)
  })
})

describe('$steps', () => {
  const cases: readonly Case[] = [
    [
      'a task that does not exist',
      'do: [ first: { set: { x: 1 } }, b: { set: { x: "${ $steps.«frist».x }" } } ]',
      [{ code: 'unknown_step', hint: 'Did you mean "first"?' }],
    ],
    [
      'a task of an inner list',
      'do: [ a: { do: [ inner: { set: { x: 1 } } ] }, b: { set: { x: "${ $steps.«inner» }" } } ]',
      [{ code: 'unknown_step', hint: '$steps knows a, b' }],
    ],
    [
      'a task of another branch',
      'do: [ f: { fork: { branches: [ a: { do: [ c: { set: { x: 1 } } ] }, b: { do: [ d: { set: { x: "${ $steps.«c» }" } } ] } ] } } ]',
      ['unknown_step'],
    ],
    ['two names in one expression', 'do: [ a: { set: { x: \'${ [$steps.«b», $steps["«c d»"]] }\' } } ]', ['unknown_step', 'unknown_step']],
    [
      'from a function',
      'use: { functions: { f: { set: { x: "${ $steps.«a» }" } } } }\ndo: [ a: { call: f } ]',
      [{ code: 'unknown_step', hint: 'no task here' }],
    ],
    ['a task that comes later', 'do: [ a: { set: { x: "${ $steps.«b».y }" } }, b: { set: { y: 1 } } ]', ['later_step']],
    [
      'a task that comes later in an outer list',
      'do: [ a: { do: [ c: { set: { x: "${ $steps.«b».y }" } } ] }, b: { set: { y: 1 } } ]',
      ['later_step'],
    ],
    [
      'a task of another way',
      'do: [ s: { switch: [ one: { when: .x == 1, then: a }, other: { then: b } ] }, a: { set: { y: 1 }, then: end }, b: { set: { x: "${ $steps.«a».y }" } } ]',
      ['later_step'],
    ],
    ['in the workflow output', 'output: { as: «$steps».a }\ndo: [ a: { set: { x: 1 } } ]', ['undefined_variable']],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expectDiagnostics(text, expected)
  })

  test('tasks of the same list and of enclosing ones are known', () => {
    expectValid(`
do:
  - first: { set: { x: 1 } }
  - get-pet: { set: { x: 1 } }
  - loop:
      for: { in: .x }
      do:
        - inner: { if: $steps.first.x == 1, set: { x: '\${ $steps["get-pet"].x }' } }
        - last: { set: { x: '\${ "\\($steps.inner.x) \\($steps.first.x)" }' }, output: { as: $steps.inner } }
`)
  })

  test('a task that comes later is read where a directive leads back, and a task reads itself', () => {
    expectValid(`
do:
  - a: { set: { x: '\${ $steps.b.y }' }, output: { as: $steps.a } }
  - b: { set: { y: 1 } }
  - again: { switch: [ more: { when: .y < 3, then: a }, done: { then: end } ] }
`)
  })

  test('a name that the expression binds to $steps itself is not looked up', () => {
    expectValid('do: [ a: { set: { x: "${ .y as $steps | $steps.anything }" } } ]')
  })

  test('text that only looks like it is not looked up', () => {
    expectValid(`do: [ a: { set: { x: '\${ "$steps.nothing" }' } }, b: { set: { x: the $steps.nothing } } ]`)
  })
})

describe('$secrets', () => {
  test('secrets in expressions must be listed', () => {
    expectDiagnostics('use: { secrets: [ token ] }\ndo: [ a: { set: { x: \'${ [$secrets.«tokn», $secrets["«other»"]] }\' } } ]', [
      { code: 'undeclared_secret', hint: 'Did you mean "token"?' },
      { code: 'undeclared_secret', hint: 'Add other to use.secrets.' },
    ])
  })

  test('listed secrets can be read anywhere', () => {
    expectValid('use: { secrets: [ token ] }\ninput: { from: "{ t: $secrets.token }" }\ndo: [ a: { set: { x: "${ $secrets.token }" } } ]')
  })
})

test('several results are a warning, as only the first one counts', () => {
  expectDiagnostics("do: [ a: { set: { ids: '${ «.l[]» | . * 10 }' } }, b: { if: '${ «.l[]» == 2 }', wait: PT1S } ]", [
    { code: 'several_results', hint: '[ … ]' },
    { code: 'several_results', hint: 'any(' },
  ])
  expectValid("do: [ a: { set: { ids: '${ [.l[] | . * 10] }', one: '${ .l[] | select(.ok) }' } } ]")
})

describe('expressions in other text', () => {
  const cases: readonly Case[] = [
    [
      'in front',
      'do: [ a: { set: { x: «"Hello ${ .name }!"» } } ]',
      [{ code: 'embedded_expression', hint: 'Write ${ "Hello \\(.name)!" }.' }],
    ],
    ['behind', 'do: [ a: { set: { x: «"${ .name } hello"» } } ]', [{ code: 'embedded_expression', hint: '\\(.name) hello' }]],
    [
      'in a body',
      'do: [ a: { call: http, with: { method: get, endpoint: https://a.b, body: { t: «"a ${ .b } c"» } } } ]',
      ['embedded_expression'],
    ],
    [
      'in a header',
      'do: [ a: { call: http, with: { method: get, endpoint: https://a.b, headers: { authorization: «"Bearer ${ .token }"» } } } ]',
      ['embedded_expression'],
    ],
    [
      'in a long text',
      `do: [ a: { set: { x: «"${'word '.repeat(30)}\${ .b }"» } } ]`,
      [{ code: 'embedded_expression', hint: '${ "Hello \\(.name)" }' }],
    ],
  ]
  test.each(cases)('%s: is not evaluated, which is worth a warning', (_, text, expected) => {
    expectDiagnostics(text, expected)
  })

  test('$ in commands, scripts, schemas, metadata and summaries is not checked', () => {
    expectValid(`
input: { schema: { document: { description: 'a \${ .b } c \${' } } }
do:
  - a: { run: { shell: { command: 'echo "\${HOME} \${x}"' } } }
  - b: { run: { script: { language: js, code: 'a = \`x \${y} z\`' } }, metadata: { note: 'a \${ .b } c' } }
`)
  })

  test('properties that always are expressions are not warned of twice', () => {
    const { diagnostics } = validateDefinition(
      'document: { dsl: 1.0.3, namespace: x, name: x, version: 1.0.0 }\ndo: [ a: { if: "a ${ .b }", set: { x: 1 } } ]',
    )
    expect(diagnostics.map(({ code }) => code)).toEqual(['invalid_expression'])
  })
})

describe('what is evaluated', () => {
  const wrong = '${ ( }'
  const evaluated: readonly (readonly [string, string])[] = [
    ['data to set', `do: [ a: { set: { x: [ { y: '${wrong}' } ] } } ]`],
    ['an endpoint', `do: [ a: { call: http, with: { method: get, endpoint: '${wrong}' } } ]`],
    ['a URI', `do: [ a: { call: http, with: { method: get, endpoint: { uri: '${wrong}' } } } ]`],
    ['a method', `do: [ a: { call: http, with: { method: '${wrong}', endpoint: https://a.b } } ]`],
    ['headers', `do: [ a: { call: http, with: { method: get, endpoint: https://a.b, headers: '${wrong}' } } ]`],
    ['a header', `do: [ a: { call: http, with: { method: get, endpoint: https://a.b, headers: { x: '${wrong}' } } } ]`],
    ['a parameter of the query', `do: [ a: { call: http, with: { method: get, endpoint: https://a.b, query: { x: '${wrong}' } } } ]`],
    [
      'a password',
      `do: [ a: { call: http, with: { method: get, endpoint: { uri: https://a.b, authentication: { basic: { username: x, password: '${wrong}' } } } } } ]`,
    ],
    ['the title of an error', `do: [ a: { raise: { error: { type: https://a.b, status: 400, title: '${wrong}' } } } ]`],
    ['a duration', `do: [ a: { wait: '${wrong}' } ]`],
    ['the attributes of an event', `do: [ a: { emit: { event: { with: { source: https://a.b, type: x, data: { y: '${wrong}' } } } } } ]`],
    [
      'an extension attribute of an event',
      `do: [ a: { emit: { event: { with: { source: https://a.b, type: x, tenant: '${wrong}' } } } } ]`,
    ],
    ['the filter of an event', `do: [ a: { listen: { to: { one: { with: { data: '${wrong}' } } } } } ]`],
    ['a correlation', `do: [ a: { listen: { to: { one: { with: { type: x }, correlate: { c: { from: ( } } } } } } ]`],
    [
      'the expectation of a correlation',
      `do: [ a: { listen: { to: { one: { with: { type: x }, correlate: { c: { from: .x, expect: '${wrong}' } } } } } } ]`,
    ],
    ['the arguments of a function', `use: { functions: { f: { set: { x: 1 } } } }\ndo: [ a: { call: f, with: { x: '${wrong}' } } ]`],
    ['the input of a workflow', `do: [ a: { run: { workflow: { namespace: x, name: y, version: latest, input: { x: '${wrong}' } } } } ]`],
    ['an inline list to loop over', `do: [ a: { for: { in: [ { x: '${wrong}' } ] }, do: [] } ]`],
    ['a command that is all expression', `do: [ a: { run: { shell: { command: '${wrong}' } } } ]`],
  ]
  test.each(evaluated)('%s is', (_, text) => {
    const { diagnostics } = validateDefinition(`document: { dsl: 1.0.3, namespace: x, name: x, version: 1.0.0 }\n${text}`)
    expect(diagnostics.map(({ code }) => code)).toEqual(['invalid_expression'])
  })

  const literal: readonly (readonly [string, string])[] = [
    ['tags and metadata', `do: [ a: { set: { x: 1 }, metadata: { x: '${wrong}' } } ]`],
    ['a schema', `input: { schema: { document: { x: '${wrong}' } } }\ndo: []`],
    ['the filter of a catch', `do: [ a: { try: [], catch: { errors: { with: { title: '${wrong}' } } } } ]`],
    ['an expression without ${ … } among data', 'do: [ a: { set: { x: "(((", y: $nope } } ]'],
    ['a backslash in text', 'do: [ a: { set: { x: "\\\\(.a)" } } ]'],
  ]
  test.each(literal)('%s is not', (_, text) => {
    expectValid(text)
  })
})

test('an expression may ask what time it is', () => {
  expectValid('do: [ a: { set: { x: "${ now | todate }" } } ]')
})

test('a hundred thousand undefined variables in one expression are not all reported', () => {
  const source = Array.from({ length: 1000 }, (_, index) => `$v${index}`).join(' + ')
  const { diagnostics } = validateDefinition(
    `document: { dsl: 1.0.3, namespace: x, name: x, version: 1.0.0 }\ndo: [ a: { set: "${source}" } ]`,
  )
  expect(diagnostics).toHaveLength(10)
})
