import { expect, test } from 'vitest'
import { unfitArguments } from '#src/run/unfit-arguments.ts'

const email = 'what "email" is called with does not fit its schema: '

test('the arguments of a call that do not fit are read from the detail of its error', () => {
  const faults = '/to: must be a string or an array, but is null; /attachments/0/a~1b: must have at most 10 characters; or fewer'
  expect(unfitArguments(email + faults)).toEqual([
    {
      called: 'email',
      argument: 'to',
      detail: 'must be a string or an array, but is null',
      type: { wanted: ['string', 'array'], is: 'null' },
    },
    { called: 'email', argument: 'attachments.0.a/b', detail: 'must have at most 10 characters; or fewer' },
  ])
})

test.each([
  `${email}/: must have the property "to"`,
  `${email}/to: must be a string, but is null; /: must have the property "text"`,
  'the input of task "a" does not fit its schema: /n: must be a number, but is null',
])('another detail is not: %s', (detail) => {
  expect(unfitArguments(detail)).toBeUndefined()
})
