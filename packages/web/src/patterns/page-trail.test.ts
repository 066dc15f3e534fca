import { expect, test } from 'vitest'
import { follows, pageBefore } from './page-trail.ts'

test('each page leads to the one before it, also after the browser went back, and in another list meanwhile', () => {
  follows('second', undefined)
  follows('third', 'second')
  // Back to the second page by the browser, which the list does not see, then a look at another list.
  follows('second of files', undefined)
  expect(pageBefore('second')).toBeUndefined()
  follows('third', 'second')
  expect(pageBefore('third')).toBe('second')
  expect(pageBefore('second of files')).toBeUndefined()
})

test('a page of a link leads to the first one, and a long walk forgets its begin', () => {
  expect(pageBefore('of a link')).toBeUndefined()
  for (let page = 1; page <= 1002; page++) follows(`page ${page}`, page === 1 ? 'begin' : `page ${page - 1}`)
  expect(pageBefore('page 1')).toBeUndefined()
  expect(pageBefore('page 1002')).toBe('page 1001')
})
