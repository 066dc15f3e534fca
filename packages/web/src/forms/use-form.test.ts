import { expect, test } from 'vitest'
import { errorsByField, isOwn } from '#src/forms/use-form.ts'

test('a problem is shown at its field, and one inside of a field with its path', () => {
  const parts = [
    { pointer: '/settings/url', detail: 'Must be an address.' },
    { pointer: '/input/order', detail: 'must be a string, but is a number.' },
    { pointer: '/input/lines/0/name', detail: 'is missing.' },
    { pointer: '/elsewhere', detail: 'is unknown.' },
  ]
  expect(errorsByField(parts, { url: '', input: '{}' })).toEqual({
    url: 'Must be an address.',
    input: 'order: must be a string, but is a number. lines.0.name: is missing.',
  })
})

test('a form is not sent by the form of a dialog that stands in it', () => {
  const [page, dialog] = [new EventTarget(), new EventTarget()]
  expect(isOwn({ target: page, currentTarget: page })).toBe(true)
  expect(isOwn({ target: dialog, currentTarget: page })).toBe(false)
})
