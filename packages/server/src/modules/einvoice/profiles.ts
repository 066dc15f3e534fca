import type { InvoiceKind, InvoiceSource, ProfileId, Sealing } from './model.ts'
import { element, type XmlElement } from './ubl/element.ts'

export type Problem = { readonly pointer: string; readonly detail: string }

/** National rules beyond EN 16931: how the document is written, and what it must contain. */
export interface Profile {
  readonly customizationId: string | undefined
  readonly profileId: string | undefined
  readonly hasUuid: boolean
  /** Whether the tax is repeated in the currency of accounting, and given for every line. */
  readonly hasTaxCurrency: boolean
  /** Rules of EN 16931 that the profile contradicts. */
  readonly exceptions: ReadonlySet<string>
  rootOf(kind: InvoiceKind): 'ubl:Invoice' | 'cn:CreditNote'
  typeOf(kind: InvoiceKind): readonly [code: string, attributes: Readonly<Record<string, string>>]
  /** References to additional documents with the place of the document in its chain. */
  references(sealing: Sealing): readonly XmlElement[]
  check(source: InvoiceSource): readonly Problem[]
}

const described = (id: string, text: string) =>
  element('cac:AdditionalDocumentReference', [element('cbc:ID', id), element('cbc:DocumentDescription', text)])

const missingBuyer: Problem = { pointer: '/buyer', detail: 'Is missing: this profile needs a buyer.' }

const european: Profile = {
  customizationId: 'urn:cen.eu:en16931:2017',
  profileId: undefined,
  hasUuid: false,
  hasTaxCurrency: false,
  exceptions: new Set(),
  rootOf: (kind) => (kind === 'invoice' ? 'ubl:Invoice' : 'cn:CreditNote'),
  typeOf: (kind) => [kind === 'invoice' ? '380' : '381', {}],
  // EN 16931 has no element for these, and permits references to further documents.
  references: ({ uuid, counter, previousHash }) => [
    described('UUID', uuid),
    described('ICV', String(counter)),
    described('PIH', previousHash),
  ],
  check: (source) => (source.buyer === undefined ? [missingBuyer] : []),
}

/**
 * Contradicted by a profile without identifier of the specification, type 381 in an invoice, identifiers of VAT without a country, attached hashes, and
 * a second total of tax in the same currency.
 */
const zatcaExceptions = ['BR-01', 'BR-CO-09', 'BR-CO-15', 'BR-CL-01', 'BR-CL-10', 'BR-CL-24'] as const

function zatca(isSimplified: boolean): Profile {
  return {
    customizationId: undefined,
    profileId: 'reporting:1.0',
    hasUuid: true,
    hasTaxCurrency: true,
    exceptions: new Set([...zatcaExceptions, ...(isSimplified ? ['BR-07', 'BR-10'] : [])]),
    rootOf: () => 'ubl:Invoice',
    typeOf: (kind) => [kind === 'invoice' ? '388' : '381', { name: isSimplified ? '0200000' : '0100000' }],
    references: ({ counter, previousHash }) => [
      element('cac:AdditionalDocumentReference', [element('cbc:ID', 'ICV'), element('cbc:UUID', String(counter))]),
      element('cac:AdditionalDocumentReference', [
        element('cbc:ID', 'PIH'),
        element('cac:Attachment', [element('cbc:EmbeddedDocumentBinaryObject', previousHash, { mimeCode: 'text/plain' })]),
      ]),
    ],
    check: (source) => checkZatca(source, isSimplified),
  }
}

function checkZatca({ kind, currency, seller, buyer, precedingInvoice, note }: InvoiceSource, isSimplified: boolean): readonly Problem[] {
  const checks: readonly (readonly [pointer: string, detail: string, applies: boolean])[] = [
    ['/currency', 'Must be SAR in this profile.', currency === 'SAR'],
    ['/seller/vatId', 'Must have 15 digits, with 3 as the first and the last one.', /^3\d{13}3$/.test(seller.vatId ?? '')],
    ['/seller/address/country', 'Must be SA in this profile.', seller.address.country === 'SA'],
    ['/seller/address/street', 'Is missing.', seller.address.street !== undefined],
    ['/seller/address/city', 'Is missing.', seller.address.city !== undefined],
    ['/seller/address/district', 'Is missing.', seller.address.district !== undefined],
    ['/seller/address/building', 'Must have 4 digits.', /^\d{4}$/.test(seller.address.building ?? '')],
    ['/seller/address/postcode', 'Must have 5 digits.', /^\d{5}$/.test(seller.address.postcode ?? '')],
    [
      '/precedingInvoice',
      'Is missing: a credit note names the invoice that it corrects.',
      kind === 'invoice' || precedingInvoice !== undefined,
    ],
    ['/note', 'Is missing: a credit note states its reason.', kind === 'invoice' || note !== undefined],
    [missingBuyer.pointer, missingBuyer.detail, isSimplified || buyer !== undefined],
    ['/buyer/address/street', 'Is missing.', isSimplified || buyer === undefined || buyer.address.street !== undefined],
    ['/buyer/address/city', 'Is missing.', isSimplified || buyer === undefined || buyer.address.city !== undefined],
  ]
  return checks.filter(([, , applies]) => !applies).map(([pointer, detail]) => ({ pointer, detail }))
}

export const profiles: Readonly<Record<ProfileId, Profile>> = {
  en16931: european,
  'zatca-standard': zatca(false),
  'zatca-simplified': zatca(true),
}
