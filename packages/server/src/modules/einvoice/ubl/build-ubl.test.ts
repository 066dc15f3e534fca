import { einvoice } from '@millrace/contract'
import { describe, expect, test } from 'vitest'
import { calculate } from '#modules/einvoice/calculate.ts'
import { profiles } from '#modules/einvoice/profiles.ts'
import { judgeInvoice } from '#modules/einvoice/rules/en16931.ts'
import { buildUbl } from './build-ubl.ts'
import { documentOf, type XmlElement } from './element.ts'
import { readUbl } from './read-xml.ts'
import { writeXml } from './write-xml.ts'

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
const seller = { name: 'Mill AG', vatId: 'DE123456789', companyId: 'HRB 1', address, contact: { email: 'bill@example.com' } }
const whole = {
  number: '2026-1',
  issueDate: '2026-11-23',
  dueDate: '2026-12-23',
  currency: 'EUR',
  buyerReference: 'B-1',
  orderReference: 'O-1',
  period: { start: '2026-11-01', end: '2026-11-30' },
  delivery: { date: '2026-11-20', country: 'FR' },
  seller,
  buyer: { name: 'Moulin SA', vatId: 'FR12345678901', address: { city: 'Paris', country: 'FR' } },
  payment: { means: '58', account: 'DE02 1203 0000 0000 2020 51', reference: '2026-1', terms: '30 days' },
  allowances: [{ percent: '10', reason: 'Loyalty', vat: { category: 'K' } }],
  charges: [{ amount: '5', reason: 'Freight', vat: { category: 'K' } }],
  prepaid: '10',
  lines: [
    {
      name: 'Grain',
      quantity: '3',
      unit: 'KGM',
      unitPrice: '33.335',
      vat: { category: 'K' },
      allowances: [{ amount: '1', reason: 'Damage' }],
    },
    { name: 'Bags', quantity: '1000', unitPrice: '12.50', priceQuantity: '100', vat: { category: 'K' }, sellerItemId: 'BAG' },
  ],
}

describe('a document is written in the order of the schema', () => {
  test('an intra-community invoice with allowances, charges and payment', () => {
    expect(outline(build(whole))).toMatchInlineSnapshot(`
      "ubl:Invoice
        cbc:CustomizationID: urn:cen.eu:en16931:2017
        cbc:ID: 2026-1
        cbc:IssueDate: 2026-11-23
        cbc:DueDate: 2026-12-23
        cbc:InvoiceTypeCode: 380
        cbc:DocumentCurrencyCode: EUR
        cbc:BuyerReference: B-1
        cac:InvoicePeriod
          cbc:StartDate: 2026-11-01
          cbc:EndDate: 2026-11-30
        cac:OrderReference
          cbc:ID: O-1
        cac:AdditionalDocumentReference
          cbc:ID: UUID
          cbc:DocumentDescription: 0199a0c0-0000-4000-8000-000000000001
        cac:AdditionalDocumentReference
          cbc:ID: ICV
          cbc:DocumentDescription: 7
        cac:AdditionalDocumentReference
          cbc:ID: PIH
          cbc:DocumentDescription: aGFzaA==
        cac:AccountingSupplierParty
          cac:Party
            cac:PostalAddress
              cbc:StreetName: Mühlweg
              cbc:BuildingNumber: 1234
              cbc:CitySubdivisionName: Mitte
              cbc:CityName: Berlin
              cbc:PostalZone: 10115
              cac:Country
                cbc:IdentificationCode: DE
            cac:PartyTaxScheme
              cbc:CompanyID: DE123456789
              cac:TaxScheme
                cbc:ID: VAT
            cac:PartyLegalEntity
              cbc:RegistrationName: Mill AG
              cbc:CompanyID: HRB 1
            cac:Contact
              cbc:ElectronicMail: bill@example.com
        cac:AccountingCustomerParty
          cac:Party
            cac:PostalAddress
              cbc:CityName: Paris
              cac:Country
                cbc:IdentificationCode: FR
            cac:PartyTaxScheme
              cbc:CompanyID: FR12345678901
              cac:TaxScheme
                cbc:ID: VAT
            cac:PartyLegalEntity
              cbc:RegistrationName: Moulin SA
        cac:Delivery
          cbc:ActualDeliveryDate: 2026-11-20
          cac:DeliveryLocation
            cac:Address
              cac:Country
                cbc:IdentificationCode: FR
        cac:PaymentMeans
          cbc:PaymentMeansCode: 58
          cbc:PaymentID: 2026-1
          cac:PayeeFinancialAccount
            cbc:ID: DE02120300000000202051
        cac:PaymentTerms
          cbc:Note: 30 days
        cac:AllowanceCharge
          cbc:ChargeIndicator: false
          cbc:AllowanceChargeReason: Loyalty
          cbc:MultiplierFactorNumeric: 10
          cbc:Amount currencyID=EUR: 22.40
          cbc:BaseAmount currencyID=EUR: 224.01
          cac:TaxCategory
            cbc:ID: K
            cbc:Percent: 0
            cac:TaxScheme
              cbc:ID: VAT
        cac:AllowanceCharge
          cbc:ChargeIndicator: true
          cbc:AllowanceChargeReason: Freight
          cbc:Amount currencyID=EUR: 5.00
          cac:TaxCategory
            cbc:ID: K
            cbc:Percent: 0
            cac:TaxScheme
              cbc:ID: VAT
        cac:TaxTotal
          cbc:TaxAmount currencyID=EUR: 0.00
          cac:TaxSubtotal
            cbc:TaxableAmount currencyID=EUR: 206.61
            cbc:TaxAmount currencyID=EUR: 0.00
            cac:TaxCategory
              cbc:ID: K
              cbc:Percent: 0
              cbc:TaxExemptionReasonCode: VATEX-EU-IC
              cbc:TaxExemptionReason: Intra-community supply
              cac:TaxScheme
                cbc:ID: VAT
        cac:LegalMonetaryTotal
          cbc:LineExtensionAmount currencyID=EUR: 224.01
          cbc:TaxExclusiveAmount currencyID=EUR: 206.61
          cbc:TaxInclusiveAmount currencyID=EUR: 206.61
          cbc:AllowanceTotalAmount currencyID=EUR: 22.40
          cbc:ChargeTotalAmount currencyID=EUR: 5.00
          cbc:PrepaidAmount currencyID=EUR: 10.00
          cbc:PayableAmount currencyID=EUR: 196.61
        cac:InvoiceLine
          cbc:ID: 1
          cbc:InvoicedQuantity unitCode=KGM: 3
          cbc:LineExtensionAmount currencyID=EUR: 99.01
          cac:AllowanceCharge
            cbc:ChargeIndicator: false
            cbc:AllowanceChargeReason: Damage
            cbc:Amount currencyID=EUR: 1.00
          cac:Item
            cbc:Name: Grain
            cac:ClassifiedTaxCategory
              cbc:ID: K
              cbc:Percent: 0
              cac:TaxScheme
                cbc:ID: VAT
          cac:Price
            cbc:PriceAmount currencyID=EUR: 33.335
        cac:InvoiceLine
          cbc:ID: 2
          cbc:InvoicedQuantity unitCode=C62: 1000
          cbc:LineExtensionAmount currencyID=EUR: 125.00
          cac:Item
            cbc:Name: Bags
            cac:SellersItemIdentification
              cbc:ID: BAG
            cac:ClassifiedTaxCategory
              cbc:ID: K
              cbc:Percent: 0
              cac:TaxScheme
                cbc:ID: VAT
          cac:Price
            cbc:PriceAmount currencyID=EUR: 12.50
            cbc:BaseQuantity unitCode=C62: 100"
    `)
  })

  test('a credit note', () => {
    const { delivery: _, ...rest } = whole
    const lines = [{ name: 'Grain', quantity: '1', unitPrice: '10', vat: { category: 'E', exemptionReason: 'Education' } }]
    expect(outline(build({ ...rest, kind: 'credit_note', allowances: [], charges: [], lines }))).toMatchInlineSnapshot(`
      "cn:CreditNote
        cbc:CustomizationID: urn:cen.eu:en16931:2017
        cbc:ID: 2026-1
        cbc:IssueDate: 2026-11-23
        cbc:CreditNoteTypeCode: 381
        cbc:DocumentCurrencyCode: EUR
        cbc:BuyerReference: B-1
        cac:InvoicePeriod
          cbc:StartDate: 2026-11-01
          cbc:EndDate: 2026-11-30
        cac:OrderReference
          cbc:ID: O-1
        cac:AdditionalDocumentReference
          cbc:ID: UUID
          cbc:DocumentDescription: 0199a0c0-0000-4000-8000-000000000001
        cac:AdditionalDocumentReference
          cbc:ID: ICV
          cbc:DocumentDescription: 7
        cac:AdditionalDocumentReference
          cbc:ID: PIH
          cbc:DocumentDescription: aGFzaA==
        cac:AccountingSupplierParty
          cac:Party
            cac:PostalAddress
              cbc:StreetName: Mühlweg
              cbc:BuildingNumber: 1234
              cbc:CitySubdivisionName: Mitte
              cbc:CityName: Berlin
              cbc:PostalZone: 10115
              cac:Country
                cbc:IdentificationCode: DE
            cac:PartyTaxScheme
              cbc:CompanyID: DE123456789
              cac:TaxScheme
                cbc:ID: VAT
            cac:PartyLegalEntity
              cbc:RegistrationName: Mill AG
              cbc:CompanyID: HRB 1
            cac:Contact
              cbc:ElectronicMail: bill@example.com
        cac:AccountingCustomerParty
          cac:Party
            cac:PostalAddress
              cbc:CityName: Paris
              cac:Country
                cbc:IdentificationCode: FR
            cac:PartyTaxScheme
              cbc:CompanyID: FR12345678901
              cac:TaxScheme
                cbc:ID: VAT
            cac:PartyLegalEntity
              cbc:RegistrationName: Moulin SA
        cac:PaymentMeans
          cbc:PaymentMeansCode: 58
          cbc:PaymentDueDate: 2026-12-23
          cbc:PaymentID: 2026-1
          cac:PayeeFinancialAccount
            cbc:ID: DE02120300000000202051
        cac:PaymentTerms
          cbc:Note: 30 days
        cac:TaxTotal
          cbc:TaxAmount currencyID=EUR: 0.00
          cac:TaxSubtotal
            cbc:TaxableAmount currencyID=EUR: 10.00
            cbc:TaxAmount currencyID=EUR: 0.00
            cac:TaxCategory
              cbc:ID: E
              cbc:Percent: 0
              cbc:TaxExemptionReason: Education
              cac:TaxScheme
                cbc:ID: VAT
        cac:LegalMonetaryTotal
          cbc:LineExtensionAmount currencyID=EUR: 10.00
          cbc:TaxExclusiveAmount currencyID=EUR: 10.00
          cbc:TaxInclusiveAmount currencyID=EUR: 10.00
          cbc:PrepaidAmount currencyID=EUR: 10.00
          cbc:PayableAmount currencyID=EUR: 0.00
        cac:CreditNoteLine
          cbc:ID: 1
          cbc:CreditedQuantity unitCode=C62: 1
          cbc:LineExtensionAmount currencyID=EUR: 10.00
          cac:Item
            cbc:Name: Grain
            cac:ClassifiedTaxCategory
              cbc:ID: E
              cbc:Percent: 0
              cac:TaxScheme
                cbc:ID: VAT
          cac:Price
            cbc:PriceAmount currencyID=EUR: 10"
    `)
  })
})

test.each([
  ['S', '19'],
  ['Z', undefined],
  ['AE', undefined],
  ['K', undefined],
  ['G', undefined],
  ['L', '7'],
  ['M', '4'],
])('an invoice of the category %s violates no rule, also after it was written and read', async (category, rate) => {
  const vat = { category, ...(rate === undefined ? {} : { rate }) }
  const root = build({
    ...whole,
    allowances: [],
    charges: [{ amount: '3', reason: 'x', vat }],
    lines: [{ name: 'x', quantity: '-2.5', unitPrice: '0.333333', vat }],
  })
  expect(judgeInvoice(documentOf(root))).toEqual([])
  expect(await readUbl(writeXml(root))).toEqual(root)
})
