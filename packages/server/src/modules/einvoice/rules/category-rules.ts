import { add, compare, type Decimal, subtract, zero } from '#modules/einvoice/decimal.ts'
import { at, type UblDocument, type XmlElement } from '#modules/einvoice/ubl/element.ts'
import { isTaxOf } from './document-rules.ts'
import { amount, equal, has, hasCode, isCharge, isLine, isVat, isVatOnce, normal, type Rule, rulesFor, selects, total } from './rule.ts'

/** What the rules ask of one category of VAT. */
interface Category {
  readonly code: string
  /** In the ids of its rules: `BR-AE-01`. */
  readonly key: string
  readonly term: string
  /** Whose identifiers an invoice with this category needs. */
  readonly needs: (document: UblDocument) => boolean
  /** The rate: zero, not negative, positive, or none at all. */
  readonly rate: 'zero' | 'not-negative' | 'positive' | 'none'
  /** Whether a reason for the exemption is required or refused. */
  readonly reason: 'required' | 'refused'
  /** Elements that use the category although they belong to no VAT count as well: a peculiarity of the official rules. */
  readonly loose?: boolean
}

const vatIdsOf = (document: UblDocument, party: string) =>
  document
    .named(party)
    .some((element) => at(element, 'cac:Party/cac:PartyTaxScheme').some((scheme) => isVatOnce(scheme) && has(scheme, 'cbc:CompanyID')))
const anyTaxIdOf = (document: UblDocument, party: string) =>
  document.named(party).some((element) => has(element, 'cac:Party/cac:PartyTaxScheme/cbc:CompanyID'))
const representative = (document: UblDocument) =>
  document
    .named('cac:TaxRepresentativeParty')
    .some((element) => at(element, 'cac:PartyTaxScheme').some((scheme) => isVatOnce(scheme) && has(scheme, 'cbc:CompanyID')))
const [supplier, customer] = ['cac:AccountingSupplierParty', 'cac:AccountingCustomerParty']
const seller = (document: UblDocument) => anyTaxIdOf(document, supplier) || representative(document)
const sellerVat = (document: UblDocument) => vatIdsOf(document, supplier) || representative(document)
const buyerLegalId = (document: UblDocument) =>
  document.named(customer).some((element) => has(element, 'cac:Party/cac:PartyLegalEntity/cbc:CompanyID'))

const categories: readonly Category[] = [
  {
    code: 'AE',
    key: 'AE',
    term: 'reverse charge',
    needs: (document) => seller(document) && (vatIdsOf(document, customer) || buyerLegalId(document)),
    rate: 'zero',
    reason: 'required',
  },
  { code: 'E', key: 'E', term: 'exempt from VAT', needs: seller, rate: 'zero', reason: 'required' },
  { code: 'G', key: 'G', term: 'export outside the EU', needs: sellerVat, rate: 'zero', reason: 'required' },
  {
    code: 'K',
    key: 'IC',
    term: 'intra-community supply',
    needs: (document) => sellerVat(document) && vatIdsOf(document, customer),
    rate: 'zero',
    reason: 'required',
  },
  { code: 'L', key: 'AF', term: 'tax of the Canary Islands', needs: seller, rate: 'not-negative', reason: 'refused' },
  { code: 'M', key: 'AG', term: 'tax of Ceuta and Melilla', needs: seller, rate: 'not-negative', reason: 'refused' },
  {
    code: 'O',
    key: 'O',
    term: 'not subject to VAT',
    needs: (document) => !sellerVat(document) && !vatIdsOf(document, customer),
    rate: 'none',
    reason: 'required',
  },
  { code: 'S', key: 'S', term: 'standard rate', needs: seller, rate: 'positive', reason: 'refused', loose: true },
  { code: 'Z', key: 'Z', term: 'zero rated', needs: seller, rate: 'zero', reason: 'refused' },
]

const root = ({ root: element }: UblDocument) => [element]
const breakdownOf = (element: XmlElement) => at(element, 'cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory')

function ofCharges(document: UblDocument, charge: boolean | undefined): readonly XmlElement[] {
  return document
    .named('cac:AllowanceCharge')
    .filter((element) => charge === undefined || isCharge(element, charge))
    .flatMap((element) => at(element, 'cac:TaxCategory'))
}

function isUsedAndBrokenDown({ code, key }: Category, document: UblDocument): boolean {
  const is = (category: XmlElement) => hasCode(category, code)
  const isVatAnd = (category: XmlElement) => is(category) && isVat(category)
  const classified = document.named('cac:ClassifiedTaxCategory')
  const broken = breakdownOf(document.root)
  // Every element is looked at: one that cannot be calculated violates the rule, wherever it stands.
  const any = (elements: readonly XmlElement[], test: (element: XmlElement) => boolean) => elements.filter(test).length > 0
  const usedBy = [...ofCharges(document, undefined), ...classified]
  if (key === 'S') return any(usedBy, is) === any(broken, is)
  if (key === 'AF' || key === 'AG') {
    if (!any(usedBy, isVatAnd)) return !any(broken, isVatAnd)
    return broken.some((category) => at(category, 'cbc:ID').some(({ text }) => text === code) && (key === 'AF' || isVat(category)))
  }
  const codesIn = (elements: readonly XmlElement[]) =>
    elements.filter(isVat).flatMap((element) => at(element, 'cbc:ID').filter(({ text }) => normal(text) === code))
  const used = codesIn(document.named('cac:TaxCategory')).length + codesIn(classified).length > 0
  return !used || codesIn(broken).length === 1
}

function needsHold(category: Category, document: UblDocument, elements: readonly XmlElement[], isLoose: boolean): boolean {
  // All are looked at: one that cannot be calculated violates the rule, wherever it stands.
  const uses = (vat: boolean) => elements.filter((element) => hasCode(element, category.code) && (!vat || isVat(element))).length > 0
  if (uses(true)) return category.needs(document)
  // Where the official rule counts elements without VAT as well, it fails for them.
  return !(isLoose && uses(false))
}

/** In G the official rule accepts an element without VAT only with the identifiers; as nothing then fails, it changes nothing. */
function presenceRules(category: Category): readonly Rule[] {
  const { key, term, loose = false } = category
  const charges = (document: UblDocument, charge: boolean) =>
    category.key === 'O'
      ? at(document.root, 'cac:AllowanceCharge')
          .filter((element) => isCharge(element, charge))
          .flatMap((element) => at(element, 'cac:TaxCategory'))
      : ofCharges(document, charge)
  const needs = key === 'O' ? 'no identifiers for VAT' : 'the identifiers of those who owe the tax'
  return rulesFor(root, [
    [`BR-${key}-01`, `The breakdown contains "${term}" if, and only if, the invoice uses it.`, (_, d) => isUsedAndBrokenDown(category, d)],
    [
      `BR-${key}-02`,
      `With a line of "${term}" there are ${needs}.`,
      (_, d) => needsHold(category, d, d.named('cac:ClassifiedTaxCategory'), loose),
    ],
    [`BR-${key}-03`, `With an allowance of "${term}" there are ${needs}.`, (_, d) => needsHold(category, d, charges(d, false), false)],
    [`BR-${key}-04`, `With a charge of "${term}" there are ${needs}.`, (_, d) => needsHold(category, d, charges(d, true), false)],
  ])
}

function rateHolds({ rate }: Category, element: XmlElement): boolean {
  if (rate === 'none') return !has(element, 'cbc:Percent')
  if (rate === 'zero') return equal(amount(element, 'cbc:Percent'), zero)
  // The official rules compare the text as a floating-point number here.
  return at(element, 'cbc:Percent').some(({ text }) => text.trim() !== '' && (rate === 'positive' ? Number(text) > 0 : Number(text) >= 0))
}

const rateTexts = { zero: 'is zero', 'not-negative': 'is zero or more', positive: 'is more than zero', none: 'is not given' } as const

function rateRules(category: Category): readonly Rule[] {
  const { code, key, term, rate } = category
  const isOwn = selects((element) => hasCode(element, code) && isVat(element))
  const ofLines: Rule['context'] = ({ named, parentOf }) =>
    named('cac:ClassifiedTaxCategory').filter((element) => {
      const item = parentOf(element)
      const line = item === undefined ? undefined : parentOf(item)
      return item?.name === 'cac:Item' && line !== undefined && isLine(line) && isOwn(element)
    })
  const ownCharges = ({ named }: UblDocument, charge: boolean) =>
    named('cac:AllowanceCharge')
      .filter(selects((element) => isCharge(element, charge)))
      .flatMap((element) => at(element, 'cac:TaxCategory').filter(isOwn))
  const rule = (id: string, what: string, context: Rule['context']): readonly Rule[] =>
    rulesFor(context, [
      [`BR-${key}-${id}`, `The rate of ${what} of "${term}" ${rateTexts[rate]}.`, (element) => rateHolds(category, element)],
    ])
  return [
    ...rule('05', 'a line', ofLines),
    ...rule('06', 'an allowance', (document) => ownCharges(document, false)),
    ...rule('07', 'a charge', (document) => ownCharges(document, true)),
  ]
}

/** The lines plus charges less allowances of a category; of one rate if it is given. */
function sumOf(
  document: UblDocument,
  { code, lines, rate }: { readonly code: string; readonly lines: string; readonly rate: Decimal | undefined },
): Decimal {
  const matches = (element: XmlElement, path: string) => {
    const found = at(element, path)
    return (
      found.some((category) => hasCode(category, code)) &&
      (rate === undefined || found.some((category) => equal(amount(category, 'cbc:Percent'), rate)))
    )
  }
  // The indicator is read first, of all: one that is no truth value violates the rule.
  const charges = (charge: boolean) =>
    at(document.root, 'cac:AllowanceCharge')
      .filter((element) => isCharge(element, charge))
      .filter((element) => matches(element, 'cac:TaxCategory'))
  const ofLines = at(document.root, lines).filter((element) => matches(element, 'cac:Item/cac:ClassifiedTaxCategory'))
  const [plus, minus] = [total(charges(true), 'cbc:Amount'), total(charges(false), 'cbc:Amount')]
  return subtract(add(total(ofLines, 'cbc:LineExtensionAmount'), plus), minus)
}

const unit: Decimal = { digits: 1n, scale: 0 }

function baseHolds({ code, key }: Category, element: XmlElement, document: UblDocument): boolean {
  const part = document.parentOf(element)
  const base = part === undefined ? undefined : amount(part, 'cbc:TaxableAmount')
  const isExact = !['S', 'AF', 'AG'].includes(key)
  const rate = isExact ? undefined : amount(element, 'cbc:Percent')
  if (!isExact && rate === undefined) return true
  return ['cac:InvoiceLine', 'cac:CreditNoteLine'].some((lines) => {
    if (document.named(lines).length === 0 && !(key === 'S' && isChargedAt(document, rate))) return false
    const sum = sumOf(document, { code, lines, rate })
    if (isExact) return equal(base, sum)
    if (key === 'S' && !isChargedAt(document, rate) && !isLineAt(document, lines, rate)) return false
    return base !== undefined && compare(subtract(base, unit), sum) < 0 && compare(add(base, unit), sum) > 0
  })
}

function isAt(elements: readonly XmlElement[], rate: Decimal | undefined): boolean {
  return elements.some((category) => hasCode(category, 'S')) && elements.some((category) => equal(amount(category, 'cbc:Percent'), rate))
}

function isChargedAt(document: UblDocument, rate: Decimal | undefined): boolean {
  return document.named('cac:AllowanceCharge').some((element) => isAt(at(element, 'cac:TaxCategory'), rate))
}

function isLineAt(document: UblDocument, lines: string, rate: Decimal | undefined): boolean {
  return document.named(lines).some((element) => isAt(at(element, 'cac:Item/cac:ClassifiedTaxCategory'), rate))
}

function taxHolds({ key }: Category, element: XmlElement, document: UblDocument): boolean {
  const part = document.parentOf(element)
  const tax = part === undefined ? undefined : amount(part, 'cbc:TaxAmount')
  if (part === undefined || tax === undefined) return false
  if (!['S', 'AF', 'AG'].includes(key)) return equal(tax, zero)
  const rate = amount(element, 'cbc:Percent')
  return rate !== undefined && isTaxOf(amount(part, 'cbc:TaxableAmount'), rate, tax)
}

function breakdownRules(category: Category): readonly Rule[] {
  const { code, key, term, reason } = category
  const context: Rule['context'] = ({ root: element }) =>
    breakdownOf(element).filter(selects((found) => hasCode(found, code) && isVat(found)))
  const hasReason = (element: XmlElement) => has(element, 'cbc:TaxExemptionReason') || has(element, 'cbc:TaxExemptionReasonCode')
  return rulesFor(context, [
    [`BR-${key}-08`, `The base of "${term}" is the sum of its lines, charges and allowances.`, (e, d) => baseHolds(category, e, d)],
    [`BR-${key}-09`, `The tax of "${term}" is right.`, (e, d) => taxHolds(category, e, d)],
    [
      `BR-${key}-10`,
      `"${term}" has ${reason === 'required' ? 'a' : 'no'} reason of exemption.`,
      (e) => hasReason(e) === (reason === 'required'),
    ],
  ])
}

const hasVatCode = (elements: readonly XmlElement[], code: string) =>
  elements.filter((element) => isVat(element) && at(element, 'cbc:ID').some(({ text }) => normal(text) === code)).length > 0
const isOnlyO = (document: UblDocument, elements: () => readonly XmlElement[]) =>
  !hasVatCode(breakdownOf(document.root), 'O') || elements().filter((element) => !hasCode(element, 'O') && isVat(element)).length === 0
const exactly = (elements: readonly XmlElement[], code: string) =>
  elements.some((element) => at(element, 'cbc:ID').some(({ text }) => text === code))
const hasLength = (from: XmlElement, path: string) => at(from, path).some(({ text }) => text.length > 1)

function ofSplitPayment(document: UblDocument, code: string): boolean {
  const charged = at(document.root, 'cac:AllowanceCharge/cac:TaxCategory')
  return exactly([...breakdownOf(document.root), ...charged, ...document.named('cac:ClassifiedTaxCategory')], code)
}

const mixtureRules = rulesFor(root, [
  ['BR-O-11', 'An invoice with "not subject to VAT" has no other part in its breakdown.', (r, d) => isOnlyO(d, () => breakdownOf(r))],
  ['BR-O-12', 'An invoice with "not subject to VAT" has no other line.', (_, d) => isOnlyO(d, () => d.named('cac:ClassifiedTaxCategory'))],
  ['BR-O-13', 'An invoice with "not subject to VAT" has no other allowance.', (_, d) => isOnlyO(d, () => ofCharges(d, false))],
  ['BR-O-14', 'An invoice with "not subject to VAT" has no other charge.', (_, d) => isOnlyO(d, () => ofCharges(d, true))],
  [
    'BR-IC-11',
    'An intra-community supply has a date of delivery or a period.',
    (r) =>
      !hasVatCode(breakdownOf(r), 'K') ||
      hasLength(r, 'cac:Delivery/cbc:ActualDeliveryDate') ||
      at(r, 'cac:InvoicePeriod').some(({ children }) => children.length > 0),
  ],
  [
    'BR-IC-12',
    'An intra-community supply has a country of delivery.',
    (r) =>
      !hasVatCode(breakdownOf(r), 'K') || hasLength(r, 'cac:Delivery/cac:DeliveryLocation/cac:Address/cac:Country/cbc:IdentificationCode'),
  ],
  [
    'BR-B-01',
    'Split payment is used in Italy only.',
    (_, d) =>
      !exactly([...d.named('cac:TaxCategory'), ...d.named('cac:ClassifiedTaxCategory')], 'B') ||
      d.named('cbc:IdentificationCode').every(({ text }) => text === 'IT'),
  ],
  ['BR-B-02', 'Split payment is not mixed with the standard rate.', (_, d) => !ofSplitPayment(d, 'B') || !ofSplitPayment(d, 'S')],
])

/** Rules about the categories of VAT. */
export const rulesOfCategories: readonly Rule[] = [
  ...categories.flatMap((category) => [...presenceRules(category), ...rateRules(category), ...breakdownRules(category)]),
  ...mixtureRules,
]
