import { Fault } from '@millrace/contract'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { decodeCursor, decodeId, encodeCursor, pageOf } from './cursor.ts'

const shape = z.tuple([z.literal('name'), z.string(), z.uuid().nullable()])

test('a cursor is decoded to the values that were encoded, with any text', () => {
  const position = ['name', 'Grüße 🎈 "%_', null] as const
  const cursor = encodeCursor(position)
  expect(cursor).toMatch(/^[\w-]+$/)
  expect(decodeCursor(cursor, shape)).toEqual(position)
})

test.each(['', 'nonsense', encodeCursor(['other', 'x', null]), encodeCursor(['name', 'x']), encodeCursor(['name', 'x', "'; drop table"])])(
  'the cursor "%s" is refused with a pointer to it',
  (cursor) => {
    let refusal: unknown
    try {
      decodeCursor(cursor, shape)
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(Fault)
    expect(refusal).toMatchObject({ code: 'request_invalid', details: { errors: [{ pointer: '/cursor', in: 'query' }] } })
  },
)

test('a page ends where there is more, and the last one says so', () => {
  const after = (last: number) => `after ${last}`
  expect(pageOf([1, 2, 3], 2, after)).toEqual({ data: [1, 2], nextCursor: 'after 2' })
  expect(pageOf([1, 2], 2, after)).toEqual({ data: [1, 2], nextCursor: null })
  expect(pageOf([], 2, after)).toEqual({ data: [], nextCursor: null })
})

test('only a cursor with an id is decoded to an id', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  expect([decodeId(encodeCursor([id])), decodeId(undefined)]).toEqual([id, undefined])
  expect(() => decodeId(encodeCursor([id, 'more']))).toThrow(Fault)
})
