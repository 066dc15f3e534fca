import { ClientError } from '@millrace/client'
import { beforeAll, expect, test } from 'vitest'
import { FieldProblems } from '#src/forms/use-form.ts'
import { loadMessages, m } from '#src/messages/messages.ts'
import { invoiceProblems } from './invoice-problems.ts'

beforeAll(loadMessages)

const refusal = (errors: readonly { pointer: string; detail: string }[], findings: readonly object[] = []) =>
  new ClientError(
    'einvoice.generate',
    { type: '', title: '', status: 422, code: 'einvoice_invalid', detail: '', requestId: '', errors: [...errors], findings },
    undefined,
  )

function problemsOf(error: unknown) {
  const found = invoiceProblems(error)
  return found instanceof FieldProblems ? found.problems : undefined
}

test('the rules that ask for an identifier of the seller name its field once, in words', () => {
  const findings = ['BR-CO-26', 'BR-S-02'].map((rule) => ({ rule, path: '/Invoice/cac:AccountingSupplierParty', meaning: 'x' }))
  const errors = findings.map(({ rule }) => ({ pointer: '/seller', detail: `${rule}: x` }))
  expect(problemsOf(refusal(errors, findings))).toEqual({ sellerVatId: m.einvoice.needsVatId })
})

test.each([
  ['/lines/2/unitPrice', 'lines.2.unitPrice'],
  ['/lines/0/vat/rate', 'lines.0.rate'],
  ['/lines/0', 'lines.0.name'],
  ['/seller/address/district', 'sellerDistrict'],
  ['/buyer/vatId', 'buyerVatId'],
  ['/buyer', 'buyerName'],
  ['/payment/account', 'account'],
  ['/precedingInvoice/number', 'precedes'],
  ['/buyerReference', 'buyerReference'],
])('a problem at %s is shown at the field %s', (pointer, field) => {
  expect(problemsOf(refusal([{ pointer, detail: 'Wrong.' }]))).toEqual({ [field]: 'Wrong.' })
})

test('a problem that belongs to no field is shown as it came', () => {
  const error = refusal([{ pointer: '', detail: 'BR-CO-15: x' }])
  expect(invoiceProblems(error)).toBe(error)
})
