import { einvoice } from '@millrace/contract'
import { describe, expect, test } from 'vitest'
import { calculate } from '#modules/einvoice/calculate.ts'
import { profiles } from '#modules/einvoice/profiles.ts'
import { buildUbl } from './build-ubl.ts'
import type { XmlElement } from './element.ts'

const chain = {
  uuid: '0199a0c0-0000-4000-8000-000000000001',
  counter: 7,
  previousHash: 'aGFzaA==',
  issuedAt: new Date('2026-11-23T10:30:00Z'),
}

function build(body: unknown): XmlElement {
  const source = einvoice.generate.body?.parse(body)
  if (source === undefined) throw new Error('the operation takes no body')
  return buildUbl(calculate(source), chain, profiles[source.profile])
}

/** One line for each element, indented by its depth. */
function outline({ name, attributes, children, text }: XmlElement, depth = 0): string {
  const facts = Object.entries(attributes).map(([key, value]) => ` ${key}=${value}`)
  const line = `${'  '.repeat(depth)}${name}${facts.join('')}${text === '' ? '' : `: ${text}`}`
  return [line, ...children.map((child) => outline(child, depth + 1))].join('\n')
}

const address = { street: 'Mühlweg', building: '1234', district: 'Mitte', city: 'Berlin', postcode: '10115', country: 'DE' }
const riyadh = { ...address, city: 'Riyadh', postcode: '12345', country: 'SA' }
const saudi = {
  profile: 'zatca-standard',
  kind: 'credit_note',
  number: 'CN-1',
  issueDate: '2026-11-23',
  currency: 'SAR',
  note: 'Returned',
  precedingInvoice: { number: '2026-1' },
  seller: { name: 'شركة الرحى', vatId: '300000000000003', companyId: '1010010000', companyScheme: 'CRN', address: riyadh },
  buyer: { name: 'Buyer', vatId: '310000000000003', address: riyadh },
  lines: [{ name: 'Coffee', quantity: '1', unitPrice: '10', vat: { rate: '15' } }],
}

describe('a Saudi document is written in the order of the schema', () => {
  test('a credit note', () => {
    expect(outline(build(saudi))).toMatchInlineSnapshot(`
      "ubl:Invoice
        cbc:ProfileID: reporting:1.0
        cbc:ID: CN-1
        cbc:UUID: 0199a0c0-0000-4000-8000-000000000001
        cbc:IssueDate: 2026-11-23
        cbc:IssueTime: 10:30:00
        cbc:InvoiceTypeCode name=0100000: 381
        cbc:Note: Returned
        cbc:DocumentCurrencyCode: SAR
        cbc:TaxCurrencyCode: SAR
        cac:BillingReference
          cac:InvoiceDocumentReference
            cbc:ID: 2026-1
        cac:AdditionalDocumentReference
          cbc:ID: ICV
          cbc:UUID: 7
        cac:AdditionalDocumentReference
          cbc:ID: PIH
          cac:Attachment
            cbc:EmbeddedDocumentBinaryObject mimeCode=text/plain: aGFzaA==
        cac:AccountingSupplierParty
          cac:Party
            cac:PartyIdentification
              cbc:ID schemeID=CRN: 1010010000
            cac:PostalAddress
              cbc:StreetName: Mühlweg
              cbc:BuildingNumber: 1234
              cbc:CitySubdivisionName: Mitte
              cbc:CityName: Riyadh
              cbc:PostalZone: 12345
              cac:Country
                cbc:IdentificationCode: SA
            cac:PartyTaxScheme
              cbc:CompanyID: 300000000000003
              cac:TaxScheme
                cbc:ID: VAT
            cac:PartyLegalEntity
              cbc:RegistrationName: شركة الرحى
        cac:AccountingCustomerParty
          cac:Party
            cac:PostalAddress
              cbc:StreetName: Mühlweg
              cbc:BuildingNumber: 1234
              cbc:CitySubdivisionName: Mitte
              cbc:CityName: Riyadh
              cbc:PostalZone: 12345
              cac:Country
                cbc:IdentificationCode: SA
            cac:PartyTaxScheme
              cbc:CompanyID: 310000000000003
              cac:TaxScheme
                cbc:ID: VAT
            cac:PartyLegalEntity
              cbc:RegistrationName: Buyer
        cac:TaxTotal
          cbc:TaxAmount currencyID=SAR: 1.50
          cac:TaxSubtotal
            cbc:TaxableAmount currencyID=SAR: 10.00
            cbc:TaxAmount currencyID=SAR: 1.50
            cac:TaxCategory
              cbc:ID: S
              cbc:Percent: 15
              cac:TaxScheme
                cbc:ID: VAT
        cac:TaxTotal
          cbc:TaxAmount currencyID=SAR: 1.50
        cac:LegalMonetaryTotal
          cbc:LineExtensionAmount currencyID=SAR: 10.00
          cbc:TaxExclusiveAmount currencyID=SAR: 10.00
          cbc:TaxInclusiveAmount currencyID=SAR: 11.50
          cbc:PayableAmount currencyID=SAR: 11.50
        cac:InvoiceLine
          cbc:ID: 1
          cbc:InvoicedQuantity unitCode=C62: 1
          cbc:LineExtensionAmount currencyID=SAR: 10.00
          cac:TaxTotal
            cbc:TaxAmount currencyID=SAR: 1.50
            cbc:RoundingAmount currencyID=SAR: 11.50
          cac:Item
            cbc:Name: Coffee
            cac:ClassifiedTaxCategory
              cbc:ID: S
              cbc:Percent: 15
              cac:TaxScheme
                cbc:ID: VAT
          cac:Price
            cbc:PriceAmount currencyID=SAR: 10"
    `)
  })

  test('a simplified invoice without a buyer', () => {
    const { buyer: _, ...rest } = saudi
    expect(outline(build({ ...rest, profile: 'zatca-simplified', kind: 'invoice' }))).toMatchInlineSnapshot(`
      "ubl:Invoice
        cbc:ProfileID: reporting:1.0
        cbc:ID: CN-1
        cbc:UUID: 0199a0c0-0000-4000-8000-000000000001
        cbc:IssueDate: 2026-11-23
        cbc:IssueTime: 10:30:00
        cbc:InvoiceTypeCode name=0200000: 388
        cbc:Note: Returned
        cbc:DocumentCurrencyCode: SAR
        cbc:TaxCurrencyCode: SAR
        cac:BillingReference
          cac:InvoiceDocumentReference
            cbc:ID: 2026-1
        cac:AdditionalDocumentReference
          cbc:ID: ICV
          cbc:UUID: 7
        cac:AdditionalDocumentReference
          cbc:ID: PIH
          cac:Attachment
            cbc:EmbeddedDocumentBinaryObject mimeCode=text/plain: aGFzaA==
        cac:AccountingSupplierParty
          cac:Party
            cac:PartyIdentification
              cbc:ID schemeID=CRN: 1010010000
            cac:PostalAddress
              cbc:StreetName: Mühlweg
              cbc:BuildingNumber: 1234
              cbc:CitySubdivisionName: Mitte
              cbc:CityName: Riyadh
              cbc:PostalZone: 12345
              cac:Country
                cbc:IdentificationCode: SA
            cac:PartyTaxScheme
              cbc:CompanyID: 300000000000003
              cac:TaxScheme
                cbc:ID: VAT
            cac:PartyLegalEntity
              cbc:RegistrationName: شركة الرحى
        cac:AccountingCustomerParty
        cac:TaxTotal
          cbc:TaxAmount currencyID=SAR: 1.50
          cac:TaxSubtotal
            cbc:TaxableAmount currencyID=SAR: 10.00
            cbc:TaxAmount currencyID=SAR: 1.50
            cac:TaxCategory
              cbc:ID: S
              cbc:Percent: 15
              cac:TaxScheme
                cbc:ID: VAT
        cac:TaxTotal
          cbc:TaxAmount currencyID=SAR: 1.50
        cac:LegalMonetaryTotal
          cbc:LineExtensionAmount currencyID=SAR: 10.00
          cbc:TaxExclusiveAmount currencyID=SAR: 10.00
          cbc:TaxInclusiveAmount currencyID=SAR: 11.50
          cbc:PayableAmount currencyID=SAR: 11.50
        cac:InvoiceLine
          cbc:ID: 1
          cbc:InvoicedQuantity unitCode=C62: 1
          cbc:LineExtensionAmount currencyID=SAR: 10.00
          cac:TaxTotal
            cbc:TaxAmount currencyID=SAR: 1.50
            cbc:RoundingAmount currencyID=SAR: 11.50
          cac:Item
            cbc:Name: Coffee
            cac:ClassifiedTaxCategory
              cbc:ID: S
              cbc:Percent: 15
              cac:TaxScheme
                cbc:ID: VAT
          cac:Price
            cbc:PriceAmount currencyID=SAR: 10"
    `)
  })
})
