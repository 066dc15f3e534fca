import { typeId } from '@millrace/contract'
import { expect, test } from 'vitest'
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
    // Well-formed, and of no version of UUIDs.
    'wf_01jd0000000000000000000000',
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
