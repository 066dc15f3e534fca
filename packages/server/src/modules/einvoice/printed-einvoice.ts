import type { PrintedInvoice } from '#platform/pdf/invoice-pdf.ts'
import { legalStatus } from './model.ts'
import { at, type XmlElement } from './ubl/element.ts'
import { readUbl } from './ubl/read-xml.ts'

/** A stored e-invoice. */
export interface PrintableEinvoice {
  readonly xml: string
  readonly createdAt: Date
  /** PNG. */
  readonly qrCode: Uint8Array
}

/** What is on the pages of an e-invoice, made from its XML alone, with the XML inside as `invoice.xml`. */
export async function printedEinvoice({ xml, createdAt, qrCode }: PrintableEinvoice): Promise<PrintedInvoice> {
  const root = await readUbl(xml)
  const number = textAt(root, 'cbc:ID')
  return {
    title: `${root.name === 'cn:CreditNote' || typeOf(root) === '381' ? 'Credit note' : 'Invoice'} ${number}`,
    issuedAt: createdAt,
    parties: [
      { label: 'Seller', lines: partyLines(at(root, 'cac:AccountingSupplierParty/cac:Party')[0]) },
      { label: 'Buyer', lines: partyLines(at(root, 'cac:AccountingCustomerParty/cac:Party')[0]) },
    ],
    details: present([
      ['Date', textAt(root, 'cbc:IssueDate')],
      ['Due', textAt(root, 'cbc:DueDate')],
      ['Buyer reference', textAt(root, 'cbc:BuyerReference')],
      ['Order', textAt(root, 'cac:OrderReference/cbc:ID')],
      ['Corrects', textAt(root, 'cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID')],
      ['Account', textAt(root, 'cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID')],
      ['Terms', textAt(root, 'cac:PaymentTerms/cbc:Note')],
    ]),
    columns: ['Item', 'Quantity', 'Price', 'VAT', 'Net'],
    rows: [...at(root, 'cac:InvoiceLine'), ...at(root, 'cac:CreditNoteLine')].map(rowOf),
    totals: totalsOf(root),
    notes: [...at(root, 'cbc:Note').map(({ text }) => text), legalStatus.notice],
    qrCode,
    attachment: {
      name: 'invoice.xml',
      media: 'text/xml',
      content: Buffer.from(xml),
      description: `The invoice ${number} as UBL 2.1`,
    },
  }
}

const textAt = (from: XmlElement | undefined, path: string) => (from === undefined ? '' : (at(from, path)[0]?.text ?? ''))
const typeOf = (root: XmlElement) => textAt(root, 'cbc:InvoiceTypeCode') || textAt(root, 'cbc:CreditNoteTypeCode')

function present(rows: readonly (readonly [string, string])[]) {
  return rows.filter(([, value]) => value !== '')
}

function partyLines(party: XmlElement | undefined): readonly string[] {
  const street = [textAt(party, 'cac:PostalAddress/cbc:StreetName'), textAt(party, 'cac:PostalAddress/cbc:BuildingNumber')]
  const city = [textAt(party, 'cac:PostalAddress/cbc:PostalZone'), textAt(party, 'cac:PostalAddress/cbc:CityName')]
  return [
    textAt(party, 'cac:PartyLegalEntity/cbc:RegistrationName'),
    street.filter((part) => part !== '').join(' '),
    city.filter((part) => part !== '').join(' '),
    textAt(party, 'cac:PostalAddress/cac:Country/cbc:IdentificationCode'),
    textAt(party, 'cac:PartyTaxScheme/cbc:CompanyID'),
  ].filter((line) => line !== '')
}

function rowOf(line: XmlElement): readonly string[] {
  const quantity = at(line, 'cbc:InvoicedQuantity')[0] ?? at(line, 'cbc:CreditedQuantity')[0]
  const category = at(line, 'cac:Item/cac:ClassifiedTaxCategory')[0]
  const percent = textAt(category, 'cbc:Percent')
  return [
    [textAt(line, 'cac:Item/cbc:Name'), textAt(line, 'cac:Item/cbc:Description')].filter((part) => part !== '').join('\n'),
    quantity?.text ?? '',
    textAt(line, 'cac:Price/cbc:PriceAmount'),
    percent === '' ? textAt(category, 'cbc:ID') : `${percent} %`,
    textAt(line, 'cbc:LineExtensionAmount'),
  ]
}

function totalsOf(root: XmlElement) {
  const currency = textAt(root, 'cbc:DocumentCurrencyCode')
  const amount = (path: string) => {
    const text = textAt(root, path)
    return text === '' ? '' : `${currency} ${text}`
  }
  const sums = 'cac:LegalMonetaryTotal'
  return present([
    ['Allowances', amount(`${sums}/cbc:AllowanceTotalAmount`)],
    ['Charges', amount(`${sums}/cbc:ChargeTotalAmount`)],
    ['Net', amount(`${sums}/cbc:TaxExclusiveAmount`)],
    ['VAT', amount('cac:TaxTotal/cbc:TaxAmount')],
    ['Total', amount(`${sums}/cbc:TaxInclusiveAmount`)],
    ['Prepaid', amount(`${sums}/cbc:PrepaidAmount`)],
    ['Payable', amount(`${sums}/cbc:PayableAmount`)],
  ])
}
