import { expect, test } from 'vitest'
import { readableName } from './readable-name.ts'

test.each([
  ['invoice', 'Invoice'],
  ['firstDay', 'First day'],
  ['first_day', 'First day'],
  ['replyTo', 'Reply to'],
  ['orderID', 'Order ID'],
  ['line2', 'Line 2'],
  ['address_2', 'Address 2'],
  ['SKU', 'SKU'],
  ['E-Mail', 'E-Mail'],
  ['Betrag netto', 'Betrag netto'],
  ['größe', 'größe'],
  ['__proto__', '__proto__'],
  ['content-type', 'content-type'],
  ['', ''],
])('%s is %s', (name, label) => expect(readableName(name)).toBe(label))

test('a long name is read in time linear to its length', () => {
  expect(readableName(`${'aB'.repeat(100_000)}-`)).toHaveLength(200_001)
})
