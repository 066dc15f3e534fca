import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pointerSegment } from './json-pointer.ts'

/** As RFC 6901, section 4, has it. */
const read = (segment: string) => segment.replaceAll('~1', '/').replaceAll('~0', '~')

test.each([
  ['plain', 'plain'],
  ['a/b', 'a~1b'],
  ['m~n', 'm~0n'],
  ['~1', '~01'],
  ['https://a.test/~x', 'https:~1~1a.test~1~0x'],
  ['', ''],
])('%j is the segment %j', (name, segment) => {
  expect(pointerSegment(name)).toBe(segment)
})

test('any name is one segment, out of which a JSON Pointer gives the name again', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a', 'é') }), (name) => {
      const segment = pointerSegment(name)
      expect(segment).not.toContain('/')
      expect(read(segment)).toBe(name)
    }),
  )
})
