import { expect, test } from 'vitest'
import { pointerSegment } from './json-pointer.ts'
import { taskReference } from './task-reference.ts'

test('a reference has no visits, iterations and attempts', () => {
  expect(taskReference('/do/1/loop~2[3]/do/0/pay~1!1/try/0/charge~12')).toBe('/do/1/loop/do/0/pay/try/0/charge')
})

test.each(['check/pay', '24/7 check', 'a~b', 'a~', '~5', 'really!1 yes', 'list[0] of'])('a reference keeps the name %j', (name) => {
  const reference = `/do/0/${pointerSegment(name)}`
  expect(taskReference(`${reference}~2/do/0/b[1]`)).toBe(`${reference}/do/0/b`)
})
