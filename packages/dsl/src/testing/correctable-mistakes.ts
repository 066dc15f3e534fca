/** A text with a mistake, and what its first fix makes of it. */
interface Specimen {
  readonly text: string
  readonly code: string
  readonly title: string
  readonly fixed: string
  readonly safe: boolean
}

const task = (content: string) => `do:\n  - one: ${content}\n`

function inTask(code: string, before: string, after: string, title: string, safe = true): Specimen {
  return { text: task(before), code, title, fixed: task(after), safe }
}

const set = 'set: { x: 1 }'

/** One real mistake of each kind that can be corrected. */
export const correctableMistakes: readonly Specimen[] = [
  inTask('invalid_task', '{ wiat: PT1S }', '{ wait: PT1S }', 'Write wait'),
  inTask('unknown_property', `{ ${set}, metdata: {} }`, `{ ${set}, metadata: {} }`, 'Write metadata'),
  inTask('unknown_property', `{ ${set}, zzz: 1 }`, `{ ${set} }`, 'Remove zzz', false),
  inTask('undefined_variable', '{ set: { x: "${ $contxt.a }" } }', '{ set: { x: "${ $context.a }" } }', 'Write $context'),
  inTask('several_results', '{ set: { x: "${ .l[] | .id }" } }', '{ set: { x: "${ [.l[] | .id] }" } }', 'Write [.l[] | .id]', false),
  {
    text: 'do:\n  - fetch: { wait: PT1S }\n  - two: { set: { x: "${ $steps.fetsh.a }" } }\n',
    code: 'unknown_step',
    title: 'Write fetch',
    fixed: 'do:\n  - fetch: { wait: PT1S }\n  - two: { set: { x: "${ $steps.fetch.a }" } }\n',
    safe: true,
  },
  {
    text: 'do:\n  - pay: { wait: PT1S, then: notfy }\n  - notify: { wait: PT1S }\n',
    code: 'dangling_then',
    title: 'Write notify',
    fixed: 'do:\n  - pay: { wait: PT1S, then: notify }\n  - notify: { wait: PT1S }\n',
    safe: true,
  },
  ...['$workflow.input.emial', '$workflow.input["e-mail"]'].map((read): Specimen => {
    const text = (source: string) =>
      `input: { schema: { document: { properties: { email: {} } } } }\n${task(`{ set: { x: '\${ ${source} }' } }`)}`
    const fixed = text(read.replace(/emial|e-mail/, 'email'))
    return { text: text(read), code: 'unknown_member', title: 'Write email', fixed, safe: true }
  }),
  inTask('unknown_member', '{ set: { x: "${ $workflow.inputs.a }" } }', '{ set: { x: "${ $workflow.input.a }" } }', 'Write input'),
  // A step that is called for its effect keeps the data.
  ...(
    [
      ['call: email', "'.a > 1'", '$input', ''],
      ["input: { from: '${ . }' }, call: email", "'.a > 1'", '$task.input', ''],
      ['call: email', "'.a > 1 and .messageId'", '$input + .', '$workflow.input.a'],
      ['call: email', "'.a > 1 and $steps.one.accepted'", '$input + .', '$workflow.input.a'],
      ['set: { b: 1 }', "'.a > 1'", '$input + .', '$workflow.input.a'],
    ] as const
  ).map(([made, read, as, elsewhere]): Specimen => {
    const text = (output: string, condition: string) => `do:\n  - one: { ${made}${output} }\n  - two: { if: ${condition}, ${set} }\n`
    const fixed = elsewhere === '' ? text(`, output: { as: '\${ ${as} }' }`, read) : text('', read.replace('.a', elsewhere))
    const title = elsewhere === '' ? `Keep the data in one: \${ ${as} }` : `Write ${elsewhere}`
    return { text: text('', read), code: 'replaced_data', title, fixed, safe: false }
  }),
  ...(
    [
      ['"https://a.b/orders/\\(.order)"', '"https://a.b/orders/\\(.order | @uri)"', 'Write .order | @uri'],
      ['"https://a.b/orders/" + .order', '"https://a.b/orders/" + (.order | @uri)', 'Write (.order | @uri)'],
    ] as const
  ).map(([before, after, title]): Specimen => {
    const text = (source: string) => `{ call: http, with: { method: get, endpoint: '\${ ${source} }' } }`
    return inTask('unencoded_value', text(before), text(after), title, false)
  }),
  inTask('dangling_then', '{ wait: PT1S, then: elsewhere }', '{ wait: PT1S, then: continue }', 'Write continue', false),
  inTask('invalid_expression', `{ if: '.a && .b', ${set} }`, `{ if: '.a and .b', ${set} }`, 'Write .a and .b'),
  inTask('invalid_expression', `{ if: '.a === 1 || .b', ${set} }`, `{ if: '.a == 1 or .b', ${set} }`, 'Write .a == 1 or .b'),
  inTask('invalid_expression', `{ if: '.a = 1', ${set} }`, `{ if: '.a == 1', ${set} }`, 'Write .a == 1'),
  inTask('looks_like_expression', '{ set: { x: .order.total } }', "{ set: { x: '${ .order.total }' } }", 'Write ${ .order.total }'),
  inTask(
    'embedded_expression',
    "{ set: { x: 'Hello ${ .name }' } }",
    '{ set: { x: \'${ "Hello \\(.name)" }\' } }',
    'Write ${ "Hello \\(.name)" }',
  ),
  inTask(
    'embedded_expression',
    "{ set: { x: 'We have ${ .count } orders, together ${.sum} EUR' } }",
    '{ set: { x: \'${ "We have \\(.count) orders, together \\(.sum) EUR" }\' } }',
    'Write ${ "We have \\(.count) orders, together \\(.sum) EUR" }',
  ),
  inTask(
    'embedded_expression',
    '{ set: { x: \'${ "We have \\(.count) orders, together ${ .sum } EUR" }\' } }',
    '{ set: { x: \'${ "We have \\(.count) orders, together \\(.sum) EUR" }\' } }',
    'Write \\(.sum)',
  ),
  {
    text: task('{ set: { x: "${ $secrets.stripe }" } }'),
    code: 'undeclared_secret',
    title: 'List stripe in use.secrets',
    fixed: `${task('{ set: { x: "${ $secrets.stripe }" } }')}use:\n  secrets:\n    - stripe\n`,
    safe: true,
  },
  inTask(
    'missing_property',
    '{ call: http, with: { method: get } }',
    "{ call: http, with: { method: get, endpoint: 'https://example.com' } }",
    'Add endpoint: "https://example.com"',
    false,
  ),
  {
    text: 'do:\n  - ask: { call: approve, with: { title: Pay } }\n  - pay: { set: { paid: true } }\n',
    code: 'unread_verdict',
    title: 'End when it is rejected',
    fixed:
      'do:\n  - ask: { call: approve, with: { title: Pay } }\n  - decide:\n      switch:\n        - approved:\n            when: ${ .approved }\n            then: pay\n        - rejected:\n            then: end\n  - pay: { set: { paid: true } }\n',
    safe: false,
  },
  {
    text: 'do:\n  - ask: { if: .big, call: approve, with: { title: Pay } }\n  - decide:\n      switch:\n        - approved: { when: .approved, then: pay }\n        - rejected: { then: end }\n  - pay: { set: { paid: true } }\n',
    code: 'skipped_approval',
    title: 'Continue as approved when no one is asked',
    fixed:
      'do:\n  - ask: { if: .big, call: approve, with: { title: Pay } }\n  - decide:\n      switch:\n        - notAsked:\n            when: ${ .approved == null }\n            then: pay\n        - approved: { when: .approved, then: pay }\n        - rejected: { then: end }\n  - pay: { set: { paid: true } }\n',
    safe: false,
  },
  {
    text: 'do:\n  - ask: { if: .big, call: approve, with: { title: Pay } }\n  - pay: { if: "${ .approved and .data.now == 1 }", set: { paid: true } }\n',
    code: 'skipped_approval',
    title: 'Write .approved != false',
    fixed:
      'do:\n  - ask: { if: .big, call: approve, with: { title: Pay } }\n  - pay: { if: "${ .approved != false and .data.now == 1 }", set: { paid: true } }\n',
    safe: false,
  },
  {
    text: 'do:\n  - one: { set: { label: big } }\n  - two: { if: .refund.total > 100, set: { x: 1 } }\n',
    code: 'replaced_data',
    title: 'Write $workflow.input.refund',
    fixed: 'do:\n  - one: { set: { label: big } }\n  - two: { if: $workflow.input.refund.total > 100, set: { x: 1 } }\n',
    safe: false,
  },
  {
    text: 'do:\n  - one: { set: { sum: 2 } }\n  - two: { set: { label: big } }\n  - three: { set: { x: "${ .label + .sum }" } }\ninput: { schema: { document: { properties: {}, additionalProperties: false } } }\n',
    code: 'replaced_data',
    title: 'Write $steps.one.sum',
    fixed:
      'do:\n  - one: { set: { sum: 2 } }\n  - two: { set: { label: big } }\n  - three: { set: { x: "${ .label + $steps.one.sum }" } }\ninput: { schema: { document: { properties: {}, additionalProperties: false } } }\n',
    safe: true,
  },
  {
    text: 'do:\n  - one: { set: { sum: 2 } }\n  - two: { set: { label: big } }\n  - three: { set: { x: "${ { label, sum } }" } }\ninput: { schema: { document: { properties: {}, additionalProperties: false } } }\n',
    code: 'replaced_data',
    title: 'Write sum: $steps.one.sum',
    fixed:
      'do:\n  - one: { set: { sum: 2 } }\n  - two: { set: { label: big } }\n  - three: { set: { x: "${ { label, sum: $steps.one.sum } }" } }\ninput: { schema: { document: { properties: {}, additionalProperties: false } } }\n',
    safe: true,
  },
  {
    text: 'do:\n  - one: { wait: PT1S, then: end }\n  - two: { wait: PT1S }\n',
    code: 'unreachable_task',
    title: 'Remove two',
    fixed: 'do:\n  - one: { wait: PT1S, then: end }\n',
    safe: false,
  },
]
