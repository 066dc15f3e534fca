import { expect, test } from 'vitest'
import { maskedMembers } from '#src/run-input/masked-members.ts'

const both = { ofSecrets: true, ofErasures: true }
const stored = { mail: '[erased:4f2a91c0-1]', call: { headers: ['Bearer ***'] }, note: '**** urgent', total: 5 }

test('members that still have a mask of the stored input are named, and those that were typed again are not', () => {
  expect(maskedMembers({ ...stored, total: 6 }, stored, both)).toEqual(['mail', 'call'])
  expect(maskedMembers({ mail: 'ada@example.com', call: { headers: ['Bearer abc'] }, note: '**** urgent' }, stored, both)).toEqual([])
  expect(maskedMembers(['***'], ['***'], both)).toEqual([''])
})

test('a mark of a record of its own is a mask as well', () => {
  const own = { mail: '[erased:4f2a91c0-1-0123abcd]' }
  expect(maskedMembers(own, own, both)).toEqual(['mail'])
})

test('a text that looks like a mask is a text where the run has no such masks, and where it was typed', () => {
  expect(maskedMembers(stored, stored, { ofSecrets: false, ofErasures: true })).toEqual(['mail'])
  expect(maskedMembers(stored, stored, { ofSecrets: true, ofErasures: false })).toEqual(['call'])
  expect(maskedMembers({ title: 'News ***' }, { title: 'News' }, both)).toEqual([])
})
