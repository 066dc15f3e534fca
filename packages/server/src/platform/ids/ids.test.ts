import { typeId } from '@millrace/contract'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { idOf } from './id-of.ts'
import { fromTypeId, newId, toTypeId } from './ids.ts'

test('an id comes back from the wire as it went out', () => {
  for (let i = 0; i < 200; i++) {
    const id = newId()
    const text = toTypeId('exec', id)
    expect(typeId('exec').safeParse(text).success).toBe(true)
    expect(fromTypeId('exec', text)).toBe(id)
  }
})

test('the ids that the reference shows are ids that we could have made', () => {
  for (const prefix of ['wf', 'exec', 'dlt'] as const) {
    const [example = ''] = z.array(z.string()).parse(typeId(prefix).meta()?.examples)
    expect(fromTypeId(prefix, example)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})

test('every text of the form of an id is one, whether or not we could have made it', () => {
  expect(fromTypeId('wf', 'wf_00000000000000000000000000')).toBe('00000000-0000-0000-0000-000000000000')
  expect(fromTypeId('wf', 'wf_7zzzzzzzzzzzzzzzzzzzzzzzzz')).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff')
  expect(fromTypeId('wf', 'wf_01jd0000000000000000000000')).toBe('01934000-0000-0000-0000-000000000000')
})

test('an id of another kind, another case or another length is none', () => {
  const text = toTypeId('wf', '01890a5d-ac96-774b-bcce-b302099a8057')
  expect(text).toBe('wf_01h455vb4pex5vsknk084sn02q')
  for (const wrong of [
    text.toUpperCase(),
    `exec${text.slice(2)}`,
    `${text}0`,
    text.slice(0, -1),
    text.replace('_01', '_81'),
    '',
    'wf_',
    '__proto__',
  ])
    expect(fromTypeId('wf', wrong)).toBeUndefined()
})

test('ids made one after another sort in that order', () => {
  const ids = Array.from({ length: 1000 }, newId)
  expect(ids.toSorted()).toEqual(ids)
})

test('an id of a request is the one that was made, and a path without one leads nowhere', () => {
  const id = newId()
  expect(idOf('wf', toTypeId('wf', id))).toBe(id)
  expect(() => idOf('exec', toTypeId('wf', id))).toThrow(expect.objectContaining({ code: 'not_found' }))
})
