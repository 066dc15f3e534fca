import { describe, expect, test } from 'vitest'
import { fixText } from '#src/fix/fix-text.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

const head = "document: { dsl: '1.0.3', namespace: test, name: pay, version: '1.0.0' }\ndo:\n"
const ask = (more = '', condition = '$workflow.input.amount > 100') =>
  `  - ask: { if: '${condition}', call: approve, with: { title: Pay }${more} }\n`
const decide = (cases: string) => `  - decide: { switch: [${cases}, { rejected: { then: end } }] }\n`
const approved = (when = '.approved') => decide(`{ approved: { when: '${when}', then: pay } }`)
const payIf = (condition: string) => `  - pay: { if: '${condition}', set: { paid: true } }\n`
const pay = '  - pay: { set: { paid: true } }\n'
const first =
  '  - first: { call: approve, with: { title: First }, then: choose }\n  - choose: { switch: [{ yes: { when: .approved, then: ask } }, { no: { then: end } }] }\n'

const found = (text: string) => validateDefinition(head + text).diagnostics.filter(({ code }) => code === 'skipped_approval')

describe('an approval that its if may skip is reported where the task behind it takes that for a rejection', () => {
  test.each([
    ['a case', ask() + approved() + pay, '/do/1/decide/switch/0/approved/when', '{ when: .approved == null, then: pay }'],
    ['an expression in braces', ask() + approved('${ .approved }') + pay, undefined, '{ when: .approved == null, then: pay }'],
    ['a comparison with true', ask() + approved('.approved == true') + pay, undefined, '{ when: .approved == null, then: pay }'],
    ['an outcome', ask() + approved('.outcome == "approved"') + pay, undefined, '{ when: .outcome == null, then: pay }'],
    ['a step', ask() + approved('$steps.ask.approved') + pay, undefined, '{ when: $steps.ask.approved == null, then: pay }'],
    [
      'a step in brackets',
      ask() + approved('$steps["ask"].approved') + pay,
      undefined,
      '{ when: $steps["ask"].approved == null, then: pay }',
    ],
    ['a conjunction', ask() + approved('.data.large == 1 and (.approved)') + pay, undefined, '{ when: .approved == null, then: pay }'],
    [
      'the case that asks for nothing else',
      ask() + decide("{ part: { when: '.approved and .data.part > 1', then: ask } }, { whole: { when: .approved, then: pay } }") + pay,
      '/do/1/decide/switch/1/whole/when',
      '{ when: .approved == null, then: pay }',
    ],
    [
      'a case that expired',
      ask() + decide('{ late: { when: \'.outcome == "expired"\', then: end } }, { yes: { when: .approved, then: pay } }') + pay,
      undefined,
      'then: pay',
    ],
    ['an if', ask() + payIf('.approved'), '/do/1/pay/if', 'Write .approved != false to'],
    ['an if of an outcome', ask() + payIf('.outcome == "approved"'), '/do/1/pay/if', 'Write (.outcome // "approved") == "approved" to'],
    ['then with the name of the next task', ask(', then: decide') + approved() + pay, undefined, '.approved == null'],
    [
      'data that another task made',
      `  - read: { set: { amount: 5 } }\n${ask('', '.amount > 100')}${approved()}${pay}`,
      undefined,
      '.approved == null',
    ],
    [
      'a list in a task',
      "  - in:\n      do:\n        - ask: { if: '.big', call: approve, with: { title: Pay } }\n        - pay: { if: .approved, set: { x: 1 } }\n",
      '/do/0/in/do/1/pay/if',
      '.approved != false',
    ],
  ])('%s', (_what, text, pointer, hint) => {
    const diagnostics = found(text)
    expect(diagnostics).toMatchObject([{ severity: 'warning', hint: expect.stringContaining(hint), ...(pointer && { pointer }) }])
    const fixed = fixText(head + text, { syntax: 'yaml', all: true })
    expect(fixed.fixed.map(({ diagnostic }) => diagnostic.code)).toContain('skipped_approval')
    expect(validateDefinition(fixed.text).diagnostics.filter(({ code }) => code === 'skipped_approval')).toEqual([])
  })

  test('the message names the approval and says what happens', () => {
    expect(found(ask() + approved() + pay)[0]?.message).toBe(
      'When the if of "ask" is false, no one is asked and there is no verdict: the case "approved" of "decide" is not taken, as after a rejection.',
    )
    expect(found(ask() + payIf('.approved'))[0]?.message).toContain('"pay" is skipped, as after a rejection.')
  })
})

test.each([
  ['an approval without an if', `  - ask: { call: approve, with: { title: Pay } }\n${approved()}${pay}`],
  ['a case for null', ask() + decide('{ none: { when: .approved == null, then: pay } }, { yes: { when: .approved, then: pay } }') + pay],
  [
    'a case behind it for null',
    ask() + decide('{ yes: { when: .approved, then: pay } }, { none: { when: .approved == null, then: pay } }') + pay,
  ],
  ['an alternative', ask() + approved('.approved // true') + pay],
  ['has', ask() + approved('has("approved") | not') + pay],
  [
    'has of a step',
    ask() + decide('{ none: { when: \'$steps | has("ask") | not\', then: pay } }, { yes: { when: .approved, then: pay } }') + pay,
  ],
  ['a case for false', ask() + decide('{ yes: { when: .approved, then: pay } }, { no: { when: .approved == false, then: end } }') + pay],
  [
    'a case for the outcome of a rejection',
    ask() + decide('{ yes: { when: .approved, then: pay } }, { no: { when: \'.outcome == "rejected"\', then: end } }') + pay,
  ],
  [
    'another case by the data of the if',
    ask() + decide("{ small: { when: '$workflow.input.amount <= 100', then: pay } }, { yes: { when: .approved, then: pay } }") + pay,
  ],
  ['another case by other data', ask() + decide('{ small: { when: .small, then: pay } }, { yes: { when: .approved, then: pay } }') + pay],
  ['or', ask() + payIf('.approved or .free')],
  ['the same condition again', ask() + payIf('$workflow.input.amount > 100 and .approved')],
  ['!= false', ask() + payIf('.approved != false')],
  ['a later task for null', `${ask()}${payIf('.approved')}  - direct: { if: '.approved == null', set: { x: 1 } }\n`],
  [
    'a later task by the data of the if',
    `${ask()}${payIf('.approved')}  - direct: { if: '$workflow.input.amount <= 100', set: { x: 1 } }\n`,
  ],
  ['a then that leads past the next task', `${ask(', then: decide')}${pay.replace('} }', '}, then: end }')}${approved()}`],
  ['an output of its own', ask(", output: { as: '${ { approved } }' }") + approved() + pay],
  ['an input of the next task', ask() + "  - pay: { if: .approved, input: { from: '${ . }' }, set: { x: 1 } }\n"],
  ['a verdict of an earlier approval', `${first}${ask()}${approved()}${pay}`],
  ['a condition on an earlier verdict', `${first}${ask('', '$steps.first.approved')}${approved('$steps.ask.approved')}${pay}`],
  ['a value that was set before', `  - preset: { set: { approved: true } }\n${ask()}${approved()}${pay}`],
  [
    'an input of that name',
    `${ask()}${approved()}${pay}input: { schema: { document: { properties: { approved: { type: boolean } } } } }\n`,
  ],
  [
    'a branch of a fork',
    '  - both: { fork: { branches: [{ ask: { if: .big, call: approve, with: { title: Pay } } }, { pay: { if: .approved, set: { x: 1 } } }] } }\n',
  ],
  ['a condition that cannot be read', ask() + payIf('.approved and "\\q"')],
])('%s is taken without this remark', (_what, text) => {
  expect(found(text)).toEqual([])
})
