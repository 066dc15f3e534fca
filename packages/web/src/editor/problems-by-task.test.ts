import { outlineOf } from '@millrace/dsl/outline'
import { expect, test } from 'vitest'
import { placeInFlow } from './problems-by-task.ts'

const text = `document: { dsl: 1.0.3, namespace: a, name: b, version: 1.0.0 }
do:
  - notify:
      call: email
      with:
        to: ''
  - total:
      set: { sum: 1 }
`
const placeOf = (line: number, pointer?: string) =>
  placeInFlow(
    { line, column: 9, severity: 'error', message: '', pointer },
    outlineOf(text, 'yaml'),
    text,
    (step, keys) => `${keys.join('.')} of ${step}`,
  )

test('a finding in a step is named by the step and by the field of its form', () => {
  expect(placeOf(6, '/do/0/notify/with/to')).toBe('notify · to of /do/0/notify')
  expect(placeOf(8, '/do/1/total/set/sum')).toBe('total · set.sum of /do/1/total')
  expect(placeOf(5, '/do/0/notify/with')).toBe('notify')
  expect(placeOf(6)).toBe('notify')
})

test('a finding outside of the steps has no place in the flow', () => {
  expect(placeOf(1, '/document/name')).toBe(undefined)
})
