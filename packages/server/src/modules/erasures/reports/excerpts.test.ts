import type { JsonValue } from '@millrace/contract'
import { expect, test } from 'vitest'
import { needlesOf } from '#modules/erasures/needles.ts'
import { type Excerpt, excerptsOf } from './excerpts.ts'

const needles = needlesOf(['ada@example.com', '5551234'], '018f0000-0000-7000-8000-0000abcdef01')
const long = 'x'.repeat(100)

const cases: readonly (readonly [string, JsonValue, readonly Excerpt[]])[] = [
  ['a text that is the value', 'ada@example.com', [{ at: '', text: 'ada@example.com' }]],
  ['a text in another case', 'To ADA@Example.com', [{ at: '', text: 'To ADA@Example.com' }]],
  ['a percent-encoded form', '/?to=ada%40example.com', [{ at: '', text: '/?to=ada%40example.com' }]],
  ['a number', { phone: 5551234 }, [{ at: '/phone', text: '5551234' }]],
  ['the name of a member', { 'ada@example.com': true }, [{ at: '/ada@example.com', text: 'ada@example.com' }]],
  [
    'members and items, each by its pointer',
    { do: [{ ask: { to: ['x@y.z', 'ada@example.com'] } }] },
    [{ at: '/do/0/ask/to/1', text: 'ada@example.com' }],
  ],
  ['names with the signs of pointers', { 'a/b~c': 'ada@example.com' }, [{ at: '/a~1b~0c', text: 'ada@example.com' }]],
  ['the beginning of a long text', `ada@example.com ${long}`, [{ at: '', text: `ada@example.com ${'x'.repeat(59)}…` }]],
  [
    'the middle of a long text',
    `${long} ada@example.com ${long}`,
    [{ at: '', text: `…${'x'.repeat(59)} ada@example.com ${'x'.repeat(59)}…` }],
  ],
  ['nothing of another person', { to: 'bob@example.com', note: [null, true, 17] }, []],
]

test.each(cases)('an excerpt of a setting has %s', (_, value, excerpts) => {
  expect(excerptsOf(value, needles)).toEqual(excerpts)
})

test('excerpts leave out what is beside the person', () => {
  const setting = { url: 'https://hooks.example.com/T0P53CR3T', contact: 'ada@example.com', key: 'another secret' }
  expect(JSON.stringify(excerptsOf(setting, needles))).not.toMatch(/T0P53CR3T|another secret/)
})
