import { add, compare, type Decimal, roundHalfUp, subtract, zero } from '#modules/einvoice/decimal.ts'
import { at, type UblDocument, type XmlElement } from '#modules/einvoice/ubl/element.ts'
import { amount, decimalsOf, equal, has, hasText, isCharge, isLine, isVat, one, type Rule, rulesFor, selects, total } from './rule.ts'

const root = ({ root: element }: UblDocument) => [element]
const decimals = (id: string, member: string, term: string) =>
  [id, `${term} has at most two decimals.`, (element: XmlElement) => decimalsOf(element, member) <= 2] as const

const always = () => true

function taxAmountsIn(document: UblDocument, currency: string): readonly XmlElement[] {
  return document
    .named('cac:TaxTotal')
    .flatMap((tax) => at(tax, 'cbc:TaxAmount').filter(({ attributes }) => attributes['currencyID'] === currency))
}

function totalWithTaxHolds(element: XmlElement): boolean {
  return at(element, 'cbc:DocumentCurrencyCode').every(({ text: currency }) => {
    const taxes = at(element, 'cac:TaxTotal').flatMap(({ children, ...rest }) => {
      const own = children.filter(({ name, attributes }) => name === 'cbc:TaxAmount' && attributes['currencyID'] === currency)
      return amount({ ...rest, children: own }, 'cbc:TaxAmount') ?? []
    })
    const [tax] = taxes
    if (taxes.length !== 1 || tax === undefined) return false
    const exclusive = amount(element, 'cac:LegalMonetaryTotal/cbc:TaxExclusiveAmount')
    const inclusive = amount(element, 'cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount')
    return exclusive !== undefined && equal(inclusive, roundHalfUp(add(exclusive, tax), 2))
  })
}

const documentRules = rulesFor(root, [
  ['BR-01', 'The document names its specification (CustomizationID).', (d) => hasText(d, 'cbc:CustomizationID')],
  ['BR-02', 'The invoice has a number.', (d) => hasText(d, 'cbc:ID')],
  ['BR-03', 'The invoice has a date of issue.', (d) => hasText(d, 'cbc:IssueDate')],
  ['BR-04', 'The invoice has a type code.', (d) => hasText(d, 'cbc:InvoiceTypeCode') || hasText(d, 'cbc:CreditNoteTypeCode')],
  ['BR-05', 'The invoice has a currency.', (d) => hasText(d, 'cbc:DocumentCurrencyCode')],
  ['BR-06', 'The seller has a name.', (d) => hasText(d, 'cac:AccountingSupplierParty/cac:Party/cac:PartyLegalEntity/cbc:RegistrationName')],
  ['BR-07', 'The buyer has a name.', (d) => hasText(d, 'cac:AccountingCustomerParty/cac:Party/cac:PartyLegalEntity/cbc:RegistrationName')],
  ['BR-08', 'The seller has a postal address.', (d) => has(d, 'cac:AccountingSupplierParty/cac:Party/cac:PostalAddress')],
  ['BR-10', 'The buyer has a postal address.', (d) => has(d, 'cac:AccountingCustomerParty/cac:Party/cac:PostalAddress')],
  ['BR-16', 'The invoice has a line.', (d) => d.children.some(isLine)],
  [
    'BR-53',
    'With a currency of accounting, the tax is also given in that currency.',
    (d, document) => at(d, 'cbc:TaxCurrencyCode').every(({ text }) => taxAmountsIn(document, text).length > 0),
  ],
  [
    'BR-CO-03',
    'The tax point is given as a date or as a code, not as both.',
    (d) => !(has(d, 'cbc:TaxPointDate') && has(d, 'cac:InvoicePeriod/cbc:DescriptionCode')),
  ],
  ['BR-CO-15', 'The total with tax is the total without tax plus the tax.', totalWithTaxHolds],
  ['BR-CO-18', 'The invoice has a breakdown of the tax.', (d) => has(d, 'cac:TaxTotal/cac:TaxSubtotal')],
  // The official test compares with an element that is not there, so it never fails.
  ['BR-DEC-13', 'The tax has at most two decimals.', always],
  ['BR-DEC-15', 'The tax in the currency of accounting has at most two decimals.', always],
])

function chargesOf(totals: XmlElement, document: UblDocument, charge: boolean): readonly XmlElement[] {
  const parent = document.parentOf(totals)
  return parent === undefined ? [] : at(parent, 'cac:AllowanceCharge').filter((element) => isCharge(element, charge))
}

function sumOfChargesHolds(totals: XmlElement, document: UblDocument, charge: boolean): boolean {
  const member = charge ? 'cbc:ChargeTotalAmount' : 'cbc:AllowanceTotalAmount'
  const charges = chargesOf(totals, document, charge)
  if (equal(amount(totals, member), roundHalfUp(total(charges, 'cbc:Amount'), 2))) return true
  return !has(totals, member) && charges.length === 0
}

function exclusiveHolds(totals: XmlElement): boolean {
  const [lines, exclusive] = [amount(totals, 'cbc:LineExtensionAmount'), amount(totals, 'cbc:TaxExclusiveAmount')]
  const [charges, allowances] = [amount(totals, 'cbc:ChargeTotalAmount'), amount(totals, 'cbc:AllowanceTotalAmount')]
  if (lines === undefined) return false
  if (charges === undefined && allowances === undefined) return equal(exclusive, lines)
  return equal(exclusive, roundHalfUp(subtract(add(lines, charges ?? zero), allowances ?? zero), 2))
}

function payableHolds(totals: XmlElement): boolean {
  const [payable, inclusive] = [amount(totals, 'cbc:PayableAmount'), amount(totals, 'cbc:TaxInclusiveAmount')]
  const [prepaid, rounding] = [amount(totals, 'cbc:PrepaidAmount'), amount(totals, 'cbc:PayableRoundingAmount')]
  if (payable === undefined || inclusive === undefined) return false
  const rounded = (value: Decimal) => roundHalfUp(value, 2)
  const left = rounding === undefined ? payable : rounded(subtract(payable, rounding))
  return equal(left, prepaid === undefined ? inclusive : rounded(subtract(inclusive, prepaid)))
}

function sumOfLines({ named }: UblDocument): Decimal {
  return roundHalfUp(total([...named('cac:InvoiceLine'), ...named('cac:CreditNoteLine')], 'cbc:LineExtensionAmount'), 2)
}

const totalRules = rulesFor(
  ({ named }) => named('cac:LegalMonetaryTotal'),
  [
    ['BR-12', 'The sum of the lines is given.', (t) => has(t, 'cbc:LineExtensionAmount')],
    ['BR-13', 'The total without tax is given.', (t) => has(t, 'cbc:TaxExclusiveAmount')],
    ['BR-14', 'The total with tax is given.', (t) => has(t, 'cbc:TaxInclusiveAmount')],
    ['BR-15', 'The amount due is given.', (t) => has(t, 'cbc:PayableAmount')],
    ['BR-CO-10', 'The sum of the lines is right.', (t, document) => equal(amount(t, 'cbc:LineExtensionAmount'), sumOfLines(document))],
    ['BR-CO-11', 'The sum of the allowances is right.', (t, document) => sumOfChargesHolds(t, document, false)],
    ['BR-CO-12', 'The sum of the charges is right.', (t, document) => sumOfChargesHolds(t, document, true)],
    ['BR-CO-13', 'The total without tax is the lines less allowances plus charges.', exclusiveHolds],
    ['BR-CO-16', 'The amount due is the total with tax less what was paid, plus the rounding.', payableHolds],
    decimals('BR-DEC-09', 'cbc:LineExtensionAmount', 'The sum of the lines'),
    decimals('BR-DEC-10', 'cbc:AllowanceTotalAmount', 'The sum of the allowances'),
    decimals('BR-DEC-11', 'cbc:ChargeTotalAmount', 'The sum of the charges'),
    decimals('BR-DEC-12', 'cbc:TaxExclusiveAmount', 'The total without tax'),
    decimals('BR-DEC-14', 'cbc:TaxInclusiveAmount', 'The total with tax'),
    decimals('BR-DEC-16', 'cbc:PrepaidAmount', 'What was paid'),
    decimals('BR-DEC-17', 'cbc:PayableRoundingAmount', 'The rounding'),
    decimals('BR-DEC-18', 'cbc:PayableAmount', 'The amount due'),
  ],
)

const hasReason = (element: XmlElement) => has(element, 'cbc:AllowanceChargeReason') || has(element, 'cbc:AllowanceChargeReasonCode')
const hasVatCategory = (element: XmlElement) =>
  at(element, 'cac:TaxCategory').some((category) => isVat(category) && has(category, 'cbc:ID'))

function chargesWhere(where: (parent: XmlElement) => boolean, charge: boolean): Rule['context'] {
  return ({ named, parentOf }) =>
    named('cac:AllowanceCharge').filter((element) => {
      const parent = parentOf(element)
      return parent !== undefined && where(parent) && selects((each) => isCharge(each, charge))(element)
    })
}

const isRoot = ({ name }: XmlElement) => name === 'ubl:Invoice' || name === 'cn:CreditNote'

interface ChargeIds {
  readonly amount: string
  readonly category?: string
  readonly reason: string
  readonly same: string
  readonly either: string
  readonly decimals: string
  readonly baseDecimals: string
}

function chargeRules(context: Rule['context'], term: string, ids: ChargeIds): readonly Rule[] {
  return rulesFor(context, [
    [ids.amount, `${term} has an amount.`, (c) => has(c, 'cbc:Amount')],
    ...(ids.category === undefined ? [] : [[ids.category, `${term} has a category of VAT.`, hasVatCategory] as const]),
    [ids.reason, `${term} has a reason, as text or code.`, hasReason],
    [ids.same, `Reason and code of reason of ${term.toLowerCase()} mean the same.`, always],
    [ids.either, `${term} has a reason, a code of reason, or both.`, hasReason],
    decimals(ids.decimals, 'cbc:Amount', `The amount of ${term.toLowerCase()}`),
    decimals(ids.baseDecimals, 'cbc:BaseAmount', `The base of ${term.toLowerCase()}`),
  ])
}

/** Rules about the document as a whole, its totals, allowances and charges. */
export const rulesOfDocument: readonly Rule[] = [
  ...documentRules,
  ...totalRules,
  ...chargeRules(chargesWhere(isRoot, false), 'An allowance', {
    amount: 'BR-31',
    category: 'BR-32',
    reason: 'BR-33',
    same: 'BR-CO-05',
    either: 'BR-CO-21',
    decimals: 'BR-DEC-01',
    baseDecimals: 'BR-DEC-02',
  }),
  ...chargeRules(chargesWhere(isRoot, true), 'A charge', {
    amount: 'BR-36',
    category: 'BR-37',
    reason: 'BR-38',
    same: 'BR-CO-06',
    either: 'BR-CO-22',
    decimals: 'BR-DEC-05',
    baseDecimals: 'BR-DEC-06',
  }),
  ...chargeRules(chargesWhere(isLine, false), 'An allowance of a line', {
    amount: 'BR-41',
    reason: 'BR-42',
    same: 'BR-CO-07',
    either: 'BR-CO-23',
    decimals: 'BR-DEC-24',
    baseDecimals: 'BR-DEC-25',
  }),
  ...chargeRules(chargesWhere(isLine, true), 'A charge of a line', {
    amount: 'BR-43',
    reason: 'BR-44',
    same: 'BR-CO-08',
    either: 'BR-CO-24',
    decimals: 'BR-DEC-27',
    baseDecimals: 'BR-DEC-28',
  }),
  ...rulesFor(
    ({ root: element }) => at(element, 'cac:TaxTotal'),
    [
      [
        'BR-CO-14',
        'The tax is the sum of the breakdown.',
        (t) =>
          !has(t, 'cac:TaxSubtotal') || equal(amount(t, 'cbc:TaxAmount'), roundHalfUp(total(at(t, 'cac:TaxSubtotal'), 'cbc:TaxAmount'), 2)),
      ],
    ],
  ),
  ...rulesFor(
    ({ named, parentOf }) => named('cac:TaxSubtotal').filter((s) => parentOf(s)?.name === 'cac:TaxTotal'),
    [
      ['BR-45', 'A part of the breakdown has its base.', (s) => has(s, 'cbc:TaxableAmount')],
      ['BR-46', 'A part of the breakdown has its tax.', (s) => has(s, 'cbc:TaxAmount')],
      ['BR-47', 'A part of the breakdown has a category of VAT.', hasVatCategory],
      ['BR-48', 'A part of the breakdown has a rate, unless it is not subject to VAT.', hasRateOrNone],
      ['BR-CO-17', 'The tax of a part of the breakdown is its base times its rate.', taxOfPartHolds],
      decimals('BR-DEC-19', 'cbc:TaxableAmount', 'The base of a part of the breakdown'),
      decimals('BR-DEC-20', 'cbc:TaxAmount', 'The tax of a part of the breakdown'),
    ],
  ),
]

function hasRateOrNone(part: XmlElement): boolean {
  const categories = at(part, 'cac:TaxCategory').filter(isVat)
  return categories.some((category) => has(category, 'cbc:Percent') || one(category, 'cbc:ID')?.text.trim() === 'O')
}

function taxOfPartHolds(part: XmlElement): boolean {
  const rates = at(part, 'cac:TaxCategory')
    .filter(isVat)
    .flatMap((category) => amount(category, 'cbc:Percent') ?? [])
  const tax = amount(part, 'cbc:TaxAmount')
  if (tax === undefined) return false
  const [rate, another] = rates
  if (another !== undefined) return false
  const isNothing = compare(roundHalfUp(tax, 0), zero) === 0
  if (rate === undefined) return isNothing
  if (compare(roundHalfUp(rate, 0), zero) === 0) return isNothing
  return isTaxOf(amount(part, 'cbc:TaxableAmount'), rate, tax)
}

/** Whether a tax is less than one unit away from what the rate makes of the base. */
export function isTaxOf(base: Decimal | undefined, rate: Decimal, tax: Decimal): boolean {
  if (base === undefined) return false
  const positive = (value: Decimal) => (value.digits < 0n ? { ...value, digits: -value.digits } : value)
  const expected = roundHalfUp({ digits: positive(base).digits * rate.digits, scale: base.scale + rate.scale + 2 }, 2)
  const unit = { digits: 1n, scale: 0 }
  return compare(subtract(positive(tax), unit), expected) < 0 && compare(add(positive(tax), unit), expected) > 0
}
