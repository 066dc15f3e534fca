import { expect, test } from 'vitest'
import { textIn } from '#src/pages/tables/text-in.ts'

test.each([
  ['UTF-8', [...Buffer.from('name;Öl')], 'name;Öl'],
  ['UTF-8 with its mark', [0xef, 0xbb, 0xbf, 0x6f], 'o'],
  ['UTF-16 of Windows', [0xff, 0xfe, 0xd6, 0, 0x6c, 0], 'Öl'],
  ['UTF-16 in the other order', [0xfe, 0xff, 0, 0xd6, 0, 0x6c], 'Öl'],
  ['Windows-1252', [0xd6, 0x6c], 'Öl'],
  ['nothing', [], ''],
  ['a workbook', [0x50, 0x4b, 3, 4, 0, 0], undefined],
])('a file in %s is read', (_name, bytes, text) => {
  expect(textIn(new Uint8Array(bytes).buffer)).toBe(text)
})
