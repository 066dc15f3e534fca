import { currencyDigits } from '@millrace/contract'
import { decimal, toText } from './decimal.ts'
import type { InvoiceKind, ProfileId } from './model.ts'
import { profileOf } from './profile-of.ts'
import { profiles } from './profiles.ts'
import { en16931 } from './rules/en16931.ts'
import type { Finding } from './rules/rule.ts'
import { at, type XmlElement } from './ubl/element.ts'

/** What is known of a document without reading its XML. */
export interface EinvoiceSummary {
  readonly uuid: string
  readonly kind: InvoiceKind
  readonly profile: ProfileId
  readonly issueDate: string
  readonly seller: string
  readonly buyer: string | null
  readonly currency: string
  /** In minor units of the currency. */
  readonly totals: Readonly<
    Record<'lines' | 'allowances' | 'charges' | 'taxExclusive' | 'tax' | 'taxInclusive' | 'prepaid' | 'payable', number>
  >
  /** How many rules judged it. */
  readonly rules: number
  readonly findings: readonly Finding[]
}

/** Reads the summary of a document. @param findings of its rules. */
export function summaryOf(root: XmlElement, findings: readonly Finding[]): EinvoiceSummary {
  const profile = profileOf(root)
  const currency = textAt(root, 'cbc:DocumentCurrencyCode')
  const decimals = currencyDigits(currency)
  const minor = (path: string) => Number(toText(decimal(textAt(root, path) || '0'), decimals).replace('.', ''))
  const sums = 'cac:LegalMonetaryTotal'
  const nameOf = (side: string) => textAt(root, `${side}/cac:Party/cac:PartyLegalEntity/cbc:RegistrationName`)
  return {
    uuid: uuidOf(root),
    kind: root.name === 'cn:CreditNote' || textAt(root, 'cbc:InvoiceTypeCode') === '381' ? 'credit_note' : 'invoice',
    profile,
    issueDate: textAt(root, 'cbc:IssueDate'),
    seller: nameOf('cac:AccountingSupplierParty'),
    buyer: nameOf('cac:AccountingCustomerParty') || null,
    currency,
    totals: {
      lines: minor(`${sums}/cbc:LineExtensionAmount`),
      allowances: minor(`${sums}/cbc:AllowanceTotalAmount`),
      charges: minor(`${sums}/cbc:ChargeTotalAmount`),
      taxExclusive: minor(`${sums}/cbc:TaxExclusiveAmount`),
      tax: minor('cac:TaxTotal/cbc:TaxAmount'),
      taxInclusive: minor(`${sums}/cbc:TaxInclusiveAmount`),
      prepaid: minor(`${sums}/cbc:PrepaidAmount`),
      payable: minor(`${sums}/cbc:PayableAmount`),
    },
    rules: en16931.length - profiles[profile].exceptions.size,
    findings,
  }
}

const textAt = (from: XmlElement, path: string) => at(from, path)[0]?.text ?? ''

function uuidOf(root: XmlElement): string {
  const reference = at(root, 'cac:AdditionalDocumentReference').find((each) => textAt(each, 'cbc:ID') === 'UUID')
  return reference === undefined ? textAt(root, 'cbc:UUID') : textAt(reference, 'cbc:DocumentDescription')
}
