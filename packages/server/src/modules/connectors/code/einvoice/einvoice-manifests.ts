import { fileNameMax } from '@millrace/contract'
import type { JsonObject } from '@millrace/engine'
import { objectOf } from '#modules/connectors/code/data/csv-manifests.ts'
import { putOutput as file } from '#modules/connectors/code/files/files-manifests.ts'

const text = { type: 'string' }
const party = (whose: string) => ({
  type: 'object',
  description: `The ${whose}: name, vatId, and address with street, postcode, city and country.`,
})
const invoice = {
  number: { ...text, description: 'Number of the invoice, such as 2026-0042.' },
  currency: { ...text, description: 'Such as EUR.' },
  seller: party('seller'),
  buyer: party('buyer'),
  lines: {
    type: 'array',
    items: { type: 'object' },
    description: 'Each with name, quantity and unitPrice as text or number, and vat with its rate.',
  },
  kind: { enum: ['invoice', 'credit_note'], description: 'An invoice unless given.' },
  profile: { enum: ['en16931', 'zatca-standard', 'zatca-simplified'], description: 'EN 16931 unless given.' },
  issueDate: { ...text, description: 'Today unless given.' },
  dueDate: { ...text, description: 'Such as 2026-12-31.' },
  buyerReference: { ...text, description: 'For authorities in Germany: the Leitweg-ID.' },
  orderReference: text,
  note: text,
  precedingInvoice: { type: 'object', description: 'Of a credit note: the number of the invoice that it corrects.' },
  period: { type: 'object' },
  delivery: { type: 'object' },
  payment: { type: 'object', description: 'With the account of the payee, such as an IBAN.' },
  allowances: { type: 'array', items: { type: 'object' } },
  charges: { type: 'array', items: { type: 'object' } },
  prepaid: { type: ['string', 'number'] },
  rounding: { type: ['string', 'number'] },
}
const required = ['number', 'currency', 'seller', 'lines']
const finding = objectOf(['rule', 'severity', 'path', 'meaning'], { rule: text, severity: text, path: text, meaning: text })
const findings = { type: 'array', items: finding }

export const createInput: JsonObject = objectOf(required, {
  ...invoice,
  folder: {
    ...text,
    maxLength: fileNameMax - 200,
    description: 'Where the XML and the PDF are written among the files of the account; e-invoices unless given.',
  },
})
const made = {
  id: text,
  number: text,
  counter: { type: 'integer', description: 'Its place in the chain of the account.' },
  currency: text,
  total: { type: 'integer', description: 'With tax, in minor units of the currency.' },
  findings: { ...findings, description: 'Warnings, such as a number that the account has used.' },
  xml: { ...file, description: 'The file of the document.' },
  pdf: { ...file, description: 'The file for people, with the XML inside.' },
}
export const createOutput: JsonObject = objectOf(Object.keys(made), made)

export const validateInput: JsonObject = objectOf(required, invoice)
export const validateOutput: JsonObject = objectOf(['valid', 'errors', 'findings'], {
  valid: { type: 'boolean' },
  errors: {
    type: 'array',
    items: objectOf(['pointer', 'detail'], { pointer: text, detail: text }),
    description: 'What is wrong, with its place in the arguments.',
  },
  findings: { ...findings, description: 'Warnings of a valid invoice.' },
})
