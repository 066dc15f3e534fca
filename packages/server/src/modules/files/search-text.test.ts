import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { searchText } from './search-text.ts'

const found = (parts: readonly Buffer[], ...texts: readonly string[]) =>
  searchText(
    Readable.from(parts),
    texts.map((text) => ({ regexp: new RegExp(text, 'giu'), length: text.length })),
  )

test('a text is found in any case wherever the parts of the content end, also within a character', async () => {
  const content = Buffer.from('…Émile ZOLA, 1840')
  for (let at = 0; at <= content.length; at++)
    for (const to of [at, at + 1, at + 3]) {
      const parts = [content.subarray(0, at), content.subarray(at, to), content.subarray(to)]
      expect([at, to, await found(parts, 'nothing', 'émile zola')]).toEqual([at, to, 'found'])
    }
})

test('what only looks alike is not found, and what is no text is unreadable', async () => {
  expect(await found([Buffer.from('Émile Zol'), Buffer.from('Zola')], 'émile zola')).toBe('absent')
  expect(await found([Buffer.from([0xff, 0xfe, 0x00])], 'a')).toBe('unreadable')
  expect(await found([Buffer.from('Zola', 'utf16le')], 'zola')).toBe('unreadable')
  expect(await found([Buffer.from('Émile'), Buffer.from('É').subarray(0, 1)], 'zola')).toBe('unreadable')
  expect(await found([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.from('Émile Zola')], 'zola')).toBe('found')
})
