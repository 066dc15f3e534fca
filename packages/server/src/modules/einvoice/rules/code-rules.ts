import { at, type UblDocument, type XmlElement } from '#modules/einvoice/ubl/element.ts'
import lists from './code-lists.json' with { type: 'json' }
import { isCharge, normal, type Rule, rulesFor, selects } from './rule.ts'

const sets = new Map<string, ReadonlySet<string>>()

/** Whether a code is in a list, which is text with spaces between its codes. */
function isIn(list: string, code: string): boolean {
  let set = sets.get(list)
  if (set === undefined) sets.set(list, (set = new Set(list.split(' '))))
  return set.has(normal(code))
}

const parentIs =
  (...names: readonly string[]) =>
  (element: XmlElement, { parentOf }: UblDocument) =>
    names.includes(parentOf(element)?.name ?? '')

type Where = (element: XmlElement, document: UblDocument) => boolean

interface CodeRule {
  readonly names: readonly string[]
  readonly where?: Where
  readonly list: string
  /** The attribute with the code; the text unless given. Elements without the attribute are not judged, except for currencies. */
  readonly attribute?: string
  readonly meaning: string
  readonly required?: boolean
}

function codeRule(id: string, { names, where = () => true, list, attribute, meaning, required = false }: CodeRule): readonly Rule[] {
  const context = (document: UblDocument) =>
    names
      .flatMap((name) => document.named(name))
      .filter((element) => where(element, document) && (attribute === undefined || required || element.attributes[attribute] !== undefined))
  return rulesFor(context, [
    [id, meaning, ({ text, attributes }) => isIn(list, attribute === undefined ? text : (attributes[attribute] ?? ''))],
  ])
}

const amounts = ['Amount', 'BaseAmount', 'PriceAmount', 'TaxAmount', 'TaxableAmount', 'LineExtensionAmount', 'TaxExclusiveAmount']
  .concat(['TaxInclusiveAmount', 'AllowanceTotalAmount', 'ChargeTotalAmount', 'PrepaidAmount', 'PayableRoundingAmount', 'PayableAmount'])
  .map((name) => `cbc:${name}`)

const isReference: Where = (element, document) => {
  const parent = document.parentOf(element)
  return (
    parent !== undefined &&
    ['cac:AdditionalDocumentReference', 'cac:DocumentReference'].includes(parent.name) &&
    at(parent, 'cbc:DocumentTypeCode').some(({ text }) => text === '130')
  )
}

const ofCharge =
  (charge: boolean): Where =>
  (element, { parentOf }) => {
    const parent = parentOf(element)
    return parent?.name === 'cac:AllowanceCharge' && selects((each) => isCharge(each, charge))(parent)
  }

function isSepaOfPayee(element: XmlElement, { parentOf }: UblDocument): boolean {
  if (normal(element.attributes['schemeID'] ?? '') !== 'SEPA') return false
  for (let current = parentOf(element); current !== undefined; current = parentOf(current)) {
    if (current.name === 'cac:AccountingSupplierParty' || current.name === 'cac:PayeeParty') return true
  }
  return false
}

/** Notes may begin with a code of their subject between two number signs. */
function hasKnownSubject({ text }: XmlElement): boolean {
  const subject = /^[^#]*#([^#]{3})#/s.exec(text)?.[1]
  return subject === undefined || ` ${lists.noteSubjects} `.includes(subject)
}

/** Rules about codes and their lists. */
export const rulesOfCodes: readonly Rule[] = [
  ...rulesFor(({ root }) => at(root, 'cbc:Note'), [['BR-CL-08', 'The subject of a note is a code of UNTDID 4451.', hasKnownSubject]]),
  ...codeRule('BR-CL-01', {
    names: ['cbc:InvoiceTypeCode'],
    list: lists.invoiceTypes,
    meaning: 'The type of an invoice is a code of UNTDID 1001.',
  }),
  ...codeRule('BR-CL-01', {
    names: ['cbc:CreditNoteTypeCode'],
    list: lists.creditNoteTypes,
    meaning: 'The type of a credit note is a code of UNTDID 1001.',
  }),
  ...codeRule('BR-CL-03', {
    names: amounts,
    list: lists.currencies,
    attribute: 'currencyID',
    required: true,
    meaning: 'The currency of an amount is a code of ISO 4217.',
  }),
  ...codeRule('BR-CL-04', {
    names: ['cbc:DocumentCurrencyCode'],
    list: lists.currencies,
    meaning: 'The currency of the invoice is a code of ISO 4217.',
  }),
  ...codeRule('BR-CL-05', {
    names: ['cbc:TaxCurrencyCode'],
    list: lists.currencies,
    meaning: 'The currency of accounting is a code of ISO 4217.',
  }),
  ...codeRule('BR-CL-06', {
    names: ['cbc:DescriptionCode'],
    where: parentIs('cac:InvoicePeriod'),
    list: '3 35 432',
    meaning: 'The code of the tax point is 3, 35 or 432.',
  }),
  ...codeRule('BR-CL-07', {
    names: ['cbc:ID'],
    where: isReference,
    list: lists.referenceSchemes,
    attribute: 'schemeID',
    meaning: 'The scheme of an invoiced object is a code of UNTDID 1153.',
  }),
  ...rulesFor(
    (document) =>
      document.named('cbc:ID').filter((e) => e.attributes['schemeID'] !== undefined && parentIs('cac:PartyIdentification')(e, document)),
    [
      [
        'BR-CL-10',
        'The scheme of an identifier of a party is a code of ISO 6523.',
        (e, document) => isIn(lists.identifierSchemes, e.attributes['schemeID'] ?? '') || isSepaOfPayee(e, document),
      ],
    ],
  ),
  ...codeRule('BR-CL-11', {
    names: ['cbc:CompanyID'],
    where: parentIs('cac:PartyLegalEntity'),
    list: lists.identifierSchemes,
    attribute: 'schemeID',
    meaning: 'The scheme of a registration is a code of ISO 6523.',
  }),
  ...codeRule('BR-CL-13', {
    names: ['cbc:ItemClassificationCode'],
    where: parentIs('cac:CommodityClassification'),
    list: lists.itemLists,
    attribute: 'listID',
    meaning: 'The list of a classification is a code of UNTDID 7143.',
  }),
  ...codeRule('BR-CL-14', {
    names: ['cbc:IdentificationCode'],
    where: parentIs('cac:Country'),
    list: lists.countries,
    meaning: 'A country is a code of ISO 3166-1.',
  }),
  ...codeRule('BR-CL-15', {
    names: ['cbc:IdentificationCode'],
    where: parentIs('cac:OriginCountry'),
    list: lists.countries,
    meaning: 'A country of origin is a code of ISO 3166-1.',
  }),
  ...codeRule('BR-CL-16', {
    names: ['cbc:PaymentMeansCode'],
    where: parentIs('cac:PaymentMeans'),
    list: lists.paymentMeans,
    meaning: 'The means of payment is a code of UNTDID 4461.',
  }),
  ...codeRule('BR-CL-17', {
    names: ['cbc:ID'],
    where: parentIs('cac:TaxCategory'),
    list: lists.vatCategories,
    meaning: 'A category of VAT is a code of UNTDID 5305.',
  }),
  ...codeRule('BR-CL-18', {
    names: ['cbc:ID'],
    where: parentIs('cac:ClassifiedTaxCategory'),
    list: lists.vatCategories,
    meaning: 'The category of VAT of a line is a code of UNTDID 5305.',
  }),
  ...codeRule('BR-CL-19', {
    names: ['cbc:AllowanceChargeReasonCode'],
    where: ofCharge(false),
    list: lists.allowanceReasons,
    meaning: 'The reason of an allowance is a code of UNTDID 5189.',
  }),
  ...codeRule('BR-CL-20', {
    names: ['cbc:AllowanceChargeReasonCode'],
    where: ofCharge(true),
    list: lists.chargeReasons,
    meaning: 'The reason of a charge is a code of UNTDID 7161.',
  }),
  ...codeRule('BR-CL-21', {
    names: ['cbc:ID'],
    where: parentIs('cac:StandardItemIdentification'),
    list: lists.identifierSchemes,
    attribute: 'schemeID',
    meaning: 'The scheme of an item is a code of ISO 6523.',
  }),
  ...rulesFor(
    ({ named }) => named('cbc:TaxExemptionReasonCode'),
    [
      [
        'BR-CL-22',
        'The reason of an exemption is a code of the list VATEX.',
        ({ text }) => isIn(lists.exemptionReasons, text.toUpperCase()),
      ],
    ],
  ),
  ...codeRule('BR-CL-23', {
    names: ['cbc:InvoicedQuantity', 'cbc:BaseQuantity', 'cbc:CreditedQuantity'],
    list: lists.units,
    attribute: 'unitCode',
    meaning: 'A unit is a code of UN/ECE Recommendation 20 or 21.',
  }),
  ...codeRule('BR-CL-24', {
    names: ['cbc:EmbeddedDocumentBinaryObject'],
    list: lists.mediaTypes,
    attribute: 'mimeCode',
    meaning: 'An attached document has a permitted type.',
  }),
  ...codeRule('BR-CL-25', {
    names: ['cbc:EndpointID'],
    list: lists.endpointSchemes,
    attribute: 'schemeID',
    meaning: 'The scheme of an electronic address is a code of the list EAS.',
  }),
  ...codeRule('BR-CL-26', {
    names: ['cbc:ID'],
    where: parentIs('cac:DeliveryLocation'),
    list: lists.identifierSchemes,
    attribute: 'schemeID',
    meaning: 'The scheme of a place of delivery is a code of ISO 6523.',
  }),
]
