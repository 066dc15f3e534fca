import { at, type UblDocument, type XmlElement } from '#modules/einvoice/ubl/element.ts'
import lists from './code-lists.json' with { type: 'json' }
import { decimalsOf, has, hasText, isLine, isVat, isVatOnce, normal, one, type Rule, rulesFor, selects } from './rule.ts'

/** Elements of a name below a chain of parents, nearest first. */
function below(name: string, ...parents: readonly string[]): Rule['context'] {
  return (document) =>
    document.named(name).filter((element) => {
      let current: XmlElement | undefined = element
      return parents.every((parent) => {
        current = current === undefined ? undefined : document.parentOf(current)
        return current?.name === parent
      })
    })
}

const inLine: (name: string, ...parents: readonly string[]) => Rule['context'] =
  (name, ...parents) =>
  (document) =>
    ['cac:InvoiceLine', 'cac:CreditNoteLine'].flatMap((line) => below(name, ...parents, line)(document))

const [supplier, customer] = ['cac:AccountingSupplierParty', 'cac:AccountingCustomerParty']
const countryCode = 'cac:Country/cbc:IdentificationCode'
const hasScheme = ({ attributes }: XmlElement) => attributes['schemeID'] !== undefined
const isDate = /^\d{4}-\d{2}-\d{2}(?:Z|[+-]\d{2}:\d{2})?$/

function isOrdered(period: XmlElement): boolean {
  const [start, end] = [one(period, 'cbc:StartDate')?.text.trim(), one(period, 'cbc:EndDate')?.text.trim()]
  if (start === undefined || end === undefined) return true
  return isDate.test(start) && isDate.test(end) && end.slice(0, 10) >= start.slice(0, 10)
}

const vatScheme = (element: XmlElement) => at(element, 'cac:PartyTaxScheme').some((scheme) => isVat(scheme) && has(scheme, 'cbc:CompanyID'))
const textsAt = (element: XmlElement, path: string) => at(element, path).map(({ text }) => text)
const shareText = (a: readonly string[], b: readonly string[]) => a.some((text) => b.includes(text))

function isOtherThanSeller(payee: XmlElement, { parentOf }: UblDocument): boolean {
  const root = parentOf(payee)
  if (!has(payee, 'cac:PartyName/cbc:Name') || root === undefined) return false
  const same = (path: string) => shareText(textsAt(payee, path), textsAt(root, `${supplier}/cac:Party/${path}`))
  return !same('cac:PartyName/cbc:Name') && !same('cac:PartyIdentification/cbc:ID')
}

const transfers: ReadonlySet<string> = new Set(['30', '58'])
const periodsOfLines = ({ named, parentOf }: UblDocument, ofLine: boolean) =>
  named('cac:InvoicePeriod').filter((period) => {
    const parent = parentOf(period)
    return parent !== undefined && isLine(parent) === ofLine
  })

/** Rules about parties, payment, lines and references. */
export const rulesOfParties: readonly Rule[] = [
  ...rulesFor(below('cbc:EndpointID', 'cac:Party', supplier), [['BR-62', 'The electronic address of the seller has a scheme.', hasScheme]]),
  ...rulesFor(below('cbc:EndpointID', 'cac:Party', customer), [['BR-63', 'The electronic address of the buyer has a scheme.', hasScheme]]),
  ...rulesFor(below('cac:PostalAddress', 'cac:Party', supplier), [
    ['BR-09', 'The address of the seller has a country.', (a) => hasText(a, countryCode)],
  ]),
  ...rulesFor(below('cac:PostalAddress', 'cac:Party', customer), [
    ['BR-11', 'The address of the buyer has a country.', (a) => hasText(a, countryCode)],
  ]),
  ...rulesFor(below('cac:Address', 'cac:DeliveryLocation', 'cac:Delivery'), [
    ['BR-57', 'The address of delivery has a country.', (a) => has(a, countryCode)],
  ]),
  ...rulesFor(
    ({ named }) => named(supplier),
    [
      [
        'BR-CO-26',
        'The seller can be identified: by an identifier of VAT, of the company, or of another kind.',
        (s) =>
          at(s, 'cac:Party').some(vatScheme) ||
          at(s, 'cac:Party/cac:PartyIdentification/cbc:ID').some(({ attributes }) => attributes['schemeID'] !== 'SEPA') ||
          has(s, 'cac:Party/cac:PartyLegalEntity/cbc:CompanyID'),
      ],
    ],
  ),
  ...rulesFor(
    ({ named }) => named('cac:PartyTaxScheme').filter(selects(isVat)),
    [
      [
        'BR-CO-09',
        'An identifier of VAT begins with the code of its country.',
        (p) => ` ${lists.countries} EL `.includes((one(p, 'cbc:CompanyID')?.text ?? '').slice(0, 2)),
      ],
    ],
  ),
  ...rulesFor(({ named }) => named('cac:PayeeParty'), [['BR-17', 'A payee has a name, and is not the seller.', isOtherThanSeller]]),
  ...rulesFor(
    ({ named }) => named('cac:TaxRepresentativeParty'),
    [
      ['BR-18', 'The tax representative has a name.', (p) => hasText(p, 'cac:PartyName/cbc:Name')],
      ['BR-19', 'The tax representative has an address.', (p) => has(p, 'cac:PostalAddress')],
      ['BR-56', 'The tax representative has an identifier of VAT.', hasVatId],
    ],
  ),
  ...rulesFor(below('cac:PostalAddress', 'cac:TaxRepresentativeParty'), [
    ['BR-20', 'The address of the tax representative has a country.', (a) => hasText(a, countryCode)],
  ]),
  ...rulesFor(
    ({ named }) => named('cac:PaymentMeans'),
    [
      ['BR-49', 'A means of payment has a code.', (m) => has(m, 'cbc:PaymentMeansCode')],
      [
        'BR-61',
        'A transfer names the account of the payee.',
        (m) => {
          const code = one(m, 'cbc:PaymentMeansCode')
          return code === undefined || !transfers.has(normal(code.text)) || has(m, 'cac:PayeeFinancialAccount/cbc:ID')
        },
      ],
    ],
  ),
  ...rulesFor(
    (document) =>
      below(
        'cac:PayeeFinancialAccount',
        'cac:PaymentMeans',
      )(document).filter((account) => {
        const means = document.parentOf(account)
        return means !== undefined && textsAt(means, 'cbc:PaymentMeansCode').some((code) => transfers.has(code))
      }),
    [['BR-50', 'The account of the payee has an identifier.', (a) => hasText(a, 'cbc:ID')]],
  ),
  ...rulesFor(below('cbc:PrimaryAccountNumberID', 'cac:CardAccount', 'cac:PaymentMeans'), [
    ['BR-51', 'At most the first 6 and last 4 digits of a card are given.', ({ text }) => normal(text).length <= 10, 'warning'],
  ]),
  ...rulesFor(
    ({ named }) => named('cac:AdditionalDocumentReference'),
    [['BR-52', 'A supporting document has a reference.', (r) => hasText(r, 'cbc:ID')]],
  ),
  ...rulesFor(
    ({ named }) => named('cac:BillingReference'),
    [['BR-55', 'A preceding invoice has a number.', (r) => has(r, 'cac:InvoiceDocumentReference/cbc:ID')]],
  ),
  ...rulesFor(
    (document) => [...document.named('cac:InvoiceLine'), ...document.named('cac:CreditNoteLine')],
    [
      ['BR-21', 'A line has an identifier.', (l) => hasText(l, 'cbc:ID')],
      ['BR-22', 'A line has a quantity.', (l) => has(l, 'cbc:InvoicedQuantity') || has(l, 'cbc:CreditedQuantity')],
      [
        'BR-23',
        'The quantity of a line has a unit.',
        (l) =>
          [...at(l, 'cbc:InvoicedQuantity'), ...at(l, 'cbc:CreditedQuantity')].some(
            ({ attributes }) => attributes['unitCode'] !== undefined,
          ),
      ],
      ['BR-24', 'A line has an amount.', (l) => has(l, 'cbc:LineExtensionAmount')],
      ['BR-25', 'The item of a line has a name.', (l) => hasText(l, 'cac:Item/cbc:Name')],
      ['BR-26', 'A line has a price.', (l) => has(l, 'cac:Price/cbc:PriceAmount')],
      ['BR-27', 'The price is not negative.', (l) => at(l, 'cac:Price/cbc:PriceAmount').some(isNotNegative)],
      [
        'BR-28',
        'The price before the discount is not negative.',
        (l) => {
          const bases = at(l, 'cac:Price/cac:AllowanceCharge/cbc:BaseAmount')
          return bases.length === 0 || bases.some(isNotNegative)
        },
      ],
      [
        'BR-CO-04',
        'A line has a category of VAT.',
        (l) => at(l, 'cac:Item/cac:ClassifiedTaxCategory').some((c) => isVatOnce(c) && has(c, 'cbc:ID')),
      ],
      ['BR-DEC-23', 'The amount of a line has at most two decimals.', (l) => decimalsOf(l, 'cbc:LineExtensionAmount') <= 2],
    ],
  ),
  ...rulesFor(
    (document) => periodsOfLines(document, true),
    [
      ['BR-30', 'The period of a line does not end before it begins.', isOrdered],
      ['BR-CO-20', 'The period of a line has a beginning or an end.', (p) => has(p, 'cbc:StartDate') || has(p, 'cbc:EndDate')],
    ],
  ),
  ...rulesFor(
    (document) => periodsOfLines(document, false),
    [
      ['BR-29', 'The period does not end before it begins.', isOrdered],
      [
        'BR-CO-19',
        'The period has a beginning, an end, or a code.',
        (p) => has(p, 'cbc:StartDate') || has(p, 'cbc:EndDate') || has(p, 'cbc:DescriptionCode'),
      ],
    ],
  ),
  ...rulesFor(
    ({ named }) => named('cac:AdditionalItemProperty'),
    [['BR-54', 'A property of an item has a name and a value.', (p) => has(p, 'cbc:Name') && has(p, 'cbc:Value')]],
  ),
  ...rulesFor(inLine('cbc:ID', 'cac:StandardItemIdentification', 'cac:Item'), [
    ['BR-64', 'The standard identifier of an item has a scheme.', hasScheme],
  ]),
  ...rulesFor(inLine('cbc:ItemClassificationCode', 'cac:CommodityClassification', 'cac:Item'), [
    ['BR-65', 'The classification of an item names its list.', ({ attributes }) => attributes['listID'] !== undefined],
  ]),
]

/** As the official rules, which compare the text as a floating-point number. */
function isNotNegative({ text }: XmlElement): boolean {
  return text.trim() !== '' && Number(text) >= 0
}

function hasVatId(party: XmlElement): boolean {
  return at(party, 'cac:PartyTaxScheme').filter((scheme) => isVatOnce(scheme) && has(scheme, 'cbc:CompanyID')).length > 0
}
