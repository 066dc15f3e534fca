import { beforeAll, expect, test } from 'vitest'
import { FieldProblems } from '#src/forms/use-form.ts'
import { loadMessages, m } from '#src/messages/messages.ts'
import { emptyLine } from './invoice-lines.tsx'
import { bodyOf, noValues } from './invoice-values.ts'

beforeAll(loadMessages)

const line = { ...emptyLine, name: 'Workshop', quantity: '2', unitPrice: '49,90' }
const values = { ...noValues, number: ' 2026-1 ', sellerName: 'Mill AG', sellerCountry: 'de', currency: 'eur', lines: [line] }

test('what was typed becomes a request: numbers with a point, codes in capitals, no blanks around texts', () => {
  expect(bodyOf(values)).toEqual({
    number: '2026-1',
    kind: 'invoice',
    profile: 'en16931',
    currency: 'EUR',
    seller: { name: 'Mill AG', address: { country: 'DE' } },
    lines: [{ name: 'Workshop', quantity: '2', unitPrice: '49.90', vat: { category: 'S', rate: '19' } }],
  })
})

test('a VAT id is sent without the blanks between its digits', () => {
  expect(bodyOf({ ...values, sellerVatId: 'de 123 456 789' }).seller.vatId).toBe('DE123456789')
})

test('fields that are filled in are sent, those of a credit note only for one', () => {
  const filled = {
    ...values,
    buyerName: 'City',
    buyerReference: '04011000-12345-34',
    dueDate: '2026-12-31',
    account: 'DE02',
    precedes: '2026-0',
    note: 'Wrong',
  }
  expect(bodyOf(filled)).toMatchObject({
    buyerReference: '04011000-12345-34',
    dueDate: '2026-12-31',
    payment: { account: 'DE02' },
    buyer: { name: 'City' },
  })
  expect(bodyOf(filled)).not.toHaveProperty('note')
  expect(bodyOf({ ...filled, kind: 'credit_note' })).toMatchObject({ note: 'Wrong', precedingInvoice: { number: '2026-0' } })
})

test('a line without tax is zero rated', () => {
  expect(bodyOf({ ...values, lines: [{ ...line, rate: '0' }] }).lines[0]?.vat).toEqual({ category: 'Z', rate: '0' })
})

test('numbers that cannot be read are named at their fields, all at once', () => {
  const wrong = { ...values, lines: [line, { ...line, unitPrice: 'ten', quantity: '1,500' }] }
  const problems = { 'lines.1.quantity': m.einvoice.unclear('1.5000', '1500'), 'lines.1.unitPrice': m.einvoice.noNumber }
  expect(() => bodyOf(wrong)).toThrow(new FieldProblems(problems))
})
