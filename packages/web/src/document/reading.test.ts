import { expect, test } from 'vitest'
import { createReader } from '#src/document/reading.ts'
import { createPacker, createUnpacker } from '#src/document/sent-reading.ts'

const text = `document: { dsl: 1.0.3, namespace: a, name: b, version: 1.0.0 }
do:
  - one: { set: { a: 1 } }
  - each:
      for: { each: line, in: .lines }
      do:
        - inner: { set: { b: 2 } }
  - last: { set: { c: "\${ .b * 2 }" } }
`

/** Sends readings as a worker does: as copies. */
function sending() {
  const [read, pack, unpack] = [createReader('yaml'), createPacker(), createUnpacker()]
  return (next: string) => {
    const reading = read(next)
    return { reading, received: unpack(structuredClone(pack(reading))) }
  }
}

test('a reading arrives as it was made, and a later one shares with it what did not change', () => {
  const send = sending()
  const first = send(text)
  expect(first.received).toEqual(first.reading)
  const second = send(text.replace('b: 2', 'b: 3'))
  expect(second.received).toEqual(second.reading)
  const [one, each, last] = second.received.outline.main.entries
  const before = first.received.outline.main.entries
  expect([one === before[0], each === before[1], last === before[2]]).toEqual([true, false, true])
})

test('an entry that is removed and written again arrives again', () => {
  const send = sending()
  send(text)
  const without = send(text.replace(/ {2}- each:[^]*?- last/, '  - last'))
  expect(without.received.outline.main.entries.map(({ name }) => name)).toEqual(['one', 'last'])
  const again = send(text)
  expect(again.received).toEqual(again.reading)
})
