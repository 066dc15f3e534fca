import { expect, test } from 'vitest'
import { itemsOf, type Json, membersOf, textOf } from './json.ts'

const values: readonly (Json | undefined)[] = [undefined, null, true, 1, 'text', ['item'], { member: 1 }]

test('what is an object, a list or text is read as that, and anything else as nothing', () => {
  expect(values.map(membersOf)).toEqual([{}, {}, {}, {}, {}, {}, { member: 1 }])
  expect(values.map(itemsOf)).toEqual([[], [], [], [], [], ['item'], []])
  expect(values.map(textOf)).toEqual([undefined, undefined, undefined, undefined, 'text', undefined, undefined])
})
