import { add, decimal, type Decimal, divide, multiply, round, toShortText, toText } from '#modules/einvoice/decimal.ts'
import { rateOf } from '#modules/einvoice/calculate.ts'
import type { Calculated, CalculatedLine, Charged, InvoiceParty, Sealing, TaxPart, Vat } from '#modules/einvoice/model.ts'
import type { Profile } from '#modules/einvoice/profiles.ts'
import { element, group, optional, type XmlElement } from './element.ts'

/** Writes amounts of one currency. */
interface Money {
  readonly currency: string
  readonly decimals: number
}

const amountOf = (name: string, value: Decimal, { currency, decimals }: Money) =>
  element(name, toText(value, decimals), { currencyID: currency })

/** Makes a UBL 2.1 document. The order of its elements is that of the schema. */
export function buildUbl(invoice: Calculated, sealing: Sealing, profile: Profile): XmlElement {
  const { source, decimals, sums } = invoice
  const money = { currency: source.currency, decimals }
  const isCreditNote = profile.rootOf(source.kind) === 'cn:CreditNote'
  const { due, type } = headOf(invoice, profile, isCreditNote)
  return element(profile.rootOf(source.kind), [
    optional('cbc:CustomizationID', profile.customizationId),
    optional('cbc:ProfileID', profile.profileId),
    element('cbc:ID', source.number),
    profile.hasUuid ? element('cbc:UUID', sealing.uuid) : undefined,
    element('cbc:IssueDate', source.issueDate ?? sealing.issuedAt.toISOString().slice(0, 10)),
    profile.hasUuid ? element('cbc:IssueTime', sealing.issuedAt.toISOString().slice(11, 19)) : undefined,
    due,
    type,
    optional('cbc:Note', source.note),
    element('cbc:DocumentCurrencyCode', source.currency),
    profile.hasTaxCurrency ? element('cbc:TaxCurrencyCode', source.currency) : undefined,
    optional('cbc:BuyerReference', source.buyerReference),
    group('cac:InvoicePeriod', [optional('cbc:StartDate', source.period?.start), optional('cbc:EndDate', source.period?.end)]),
    group('cac:OrderReference', [optional('cbc:ID', source.orderReference)]),
    precedingOf(invoice),
    ...profile.references(sealing),
    element('cac:AccountingSupplierParty', [partyOf(source.seller)]),
    element('cac:AccountingCustomerParty', source.buyer === undefined ? [] : [partyOf(source.buyer)]),
    deliveryOf(invoice),
    paymentOf(invoice, isCreditNote),
    group('cac:PaymentTerms', [optional('cbc:Note', source.payment?.terms)]),
    ...invoice.charges.map((charged) => chargeOf(charged, money)),
    taxOf(invoice, money),
    profile.hasTaxCurrency ? element('cac:TaxTotal', [amountOf('cbc:TaxAmount', sums.tax, money)]) : undefined,
    totalsOf(invoice, money),
    ...invoice.lines.map((line, index) => lineOf(line, { index, isCreditNote, money, withTax: profile.hasTaxCurrency })),
  ])
}

function headOf({ source }: Calculated, profile: Profile, isCreditNote: boolean) {
  return {
    due: isCreditNote ? undefined : optional('cbc:DueDate', source.dueDate),
    type: element(isCreditNote ? 'cbc:CreditNoteTypeCode' : 'cbc:InvoiceTypeCode', ...profile.typeOf(source.kind)),
  }
}

function precedingOf({ source: { precedingInvoice } }: Calculated): XmlElement | undefined {
  if (precedingInvoice === undefined) return undefined
  const { number, issueDate } = precedingInvoice
  return element('cac:BillingReference', [
    element('cac:InvoiceDocumentReference', [element('cbc:ID', number), optional('cbc:IssueDate', issueDate)]),
  ])
}

function partyOf(party: InvoiceParty): XmlElement {
  const { address, contact, electronicAddress, vatId, companyId, companyScheme } = party
  // ZATCA's schemes of identifiers (CRN, …) are letters, and stand with another element.
  const isLocal = companyScheme !== undefined && !/^\d{4}$/.test(companyScheme)
  return element('cac:Party', [
    electronicAddress && element('cbc:EndpointID', electronicAddress.id, { schemeID: electronicAddress.scheme }),
    isLocal && companyId !== undefined
      ? element('cac:PartyIdentification', [element('cbc:ID', companyId, { schemeID: companyScheme })])
      : undefined,
    group('cac:PartyName', [optional('cbc:Name', party.tradeName)]),
    element('cac:PostalAddress', [
      optional('cbc:StreetName', address.street),
      optional('cbc:AdditionalStreetName', address.additional),
      optional('cbc:BuildingNumber', address.building),
      optional('cbc:CitySubdivisionName', address.district),
      optional('cbc:CityName', address.city),
      optional('cbc:PostalZone', address.postcode),
      optional('cbc:CountrySubentity', address.region),
      element('cac:Country', [element('cbc:IdentificationCode', address.country)]),
    ]),
    vatId === undefined ? undefined : element('cac:PartyTaxScheme', [element('cbc:CompanyID', vatId), vatScheme]),
    element('cac:PartyLegalEntity', [
      element('cbc:RegistrationName', party.name),
      isLocal ? undefined : optional('cbc:CompanyID', companyId, companyScheme === undefined ? {} : { schemeID: companyScheme }),
    ]),
    group('cac:Contact', [
      optional('cbc:Name', contact?.name),
      optional('cbc:Telephone', contact?.phone),
      optional('cbc:ElectronicMail', contact?.email),
    ]),
  ])
}

const vatScheme = element('cac:TaxScheme', [element('cbc:ID', 'VAT')])

function deliveryOf({ source: { delivery } }: Calculated): XmlElement | undefined {
  const country = group('cac:Country', [optional('cbc:IdentificationCode', delivery?.country)])
  return group('cac:Delivery', [
    optional('cbc:ActualDeliveryDate', delivery?.date),
    country && element('cac:DeliveryLocation', [element('cac:Address', [country])]),
  ])
}

function paymentOf({ source: { payment, dueDate } }: Calculated, isCreditNote: boolean): XmlElement | undefined {
  if (payment === undefined) return undefined
  const { means, account, accountName, bic, reference } = payment
  return element('cac:PaymentMeans', [
    element('cbc:PaymentMeansCode', means),
    isCreditNote ? optional('cbc:PaymentDueDate', dueDate) : undefined,
    optional('cbc:PaymentID', reference),
    account === undefined
      ? undefined
      : element('cac:PayeeFinancialAccount', [
          element('cbc:ID', account.replaceAll(' ', '')),
          optional('cbc:Name', accountName),
          group('cac:FinancialInstitutionBranch', [optional('cbc:ID', bic)]),
        ]),
  ])
}

function chargeOf({ isCharge, amount, base, source }: Charged, money: Money): XmlElement {
  return element('cac:AllowanceCharge', [
    element('cbc:ChargeIndicator', String(isCharge)),
    element('cbc:AllowanceChargeReason', source.reason),
    optional('cbc:MultiplierFactorNumeric', base === undefined ? undefined : source.percent),
    amountOf('cbc:Amount', amount, money),
    base && amountOf('cbc:BaseAmount', base, money),
    source.vat && categoryOf('cac:TaxCategory', source.vat),
  ])
}

function categoryOf(name: string, vat: Vat, reasons: readonly (XmlElement | undefined)[] = []): XmlElement {
  const rate = rateOf(vat)
  return element(name, [element('cbc:ID', vat.category), optional('cbc:Percent', rate && toShortText(rate)), ...reasons, vatScheme])
}

/** Reasons that follow from the category. */
const usual: Readonly<Record<string, readonly [code: string, reason: string]>> = {
  AE: ['VATEX-EU-AE', 'Reverse charge'],
  K: ['VATEX-EU-IC', 'Intra-community supply'],
  G: ['VATEX-EU-G', 'Export outside the EU'],
  O: ['VATEX-EU-O', 'Not subject to VAT'],
}

function partOf({ vat, base, tax }: TaxPart, money: Money): XmlElement {
  const [code, reason] =
    vat.exemptionCode === undefined && vat.exemptionReason === undefined
      ? (usual[vat.category] ?? [])
      : [vat.exemptionCode, vat.exemptionReason]
  const reasons = [optional('cbc:TaxExemptionReasonCode', code), optional('cbc:TaxExemptionReason', reason)]
  return element('cac:TaxSubtotal', [
    amountOf('cbc:TaxableAmount', base, money),
    amountOf('cbc:TaxAmount', tax, money),
    categoryOf('cac:TaxCategory', vat, reasons),
  ])
}

function taxOf({ parts, sums }: Calculated, money: Money): XmlElement {
  return element('cac:TaxTotal', [amountOf('cbc:TaxAmount', sums.tax, money), ...parts.map((part) => partOf(part, money))])
}

function totalsOf({ sums, charges, source }: Calculated, money: Money): XmlElement {
  const has = (wanted: boolean) => charges.some(({ isCharge }) => isCharge === wanted)
  return element('cac:LegalMonetaryTotal', [
    amountOf('cbc:LineExtensionAmount', sums.lines, money),
    amountOf('cbc:TaxExclusiveAmount', sums.taxExclusive, money),
    amountOf('cbc:TaxInclusiveAmount', sums.taxInclusive, money),
    has(false) ? amountOf('cbc:AllowanceTotalAmount', sums.allowances, money) : undefined,
    has(true) ? amountOf('cbc:ChargeTotalAmount', sums.charges, money) : undefined,
    source.prepaid === undefined ? undefined : amountOf('cbc:PrepaidAmount', sums.prepaid, money),
    optional('cbc:PayableRoundingAmount', source.rounding && toText(roundedOf(source.rounding, money.decimals), money.decimals), {
      currencyID: money.currency,
    }),
    amountOf('cbc:PayableAmount', sums.payable, money),
  ])
}

interface LineParts {
  readonly index: number
  readonly isCreditNote: boolean
  readonly money: Money
  /** With the tax of the line, which some profiles ask for. */
  readonly withTax: boolean
}

function lineOf({ source, net, charges }: CalculatedLine, { index, isCreditNote, money, withTax }: LineParts): XmlElement {
  const rate = rateOf(source.vat)
  const tax = withTax && rate !== undefined ? lineTax(net, rate, money.decimals) : undefined
  return element(isCreditNote ? 'cac:CreditNoteLine' : 'cac:InvoiceLine', [
    element('cbc:ID', source.id ?? String(index + 1)),
    optional('cbc:Note', source.note),
    element(isCreditNote ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity', source.quantity, { unitCode: source.unit }),
    amountOf('cbc:LineExtensionAmount', net, money),
    ...charges.map((charged) => chargeOf({ ...charged, source: { ...charged.source, vat: undefined } }, money)),
    tax && element('cac:TaxTotal', [amountOf('cbc:TaxAmount', tax.tax, money), amountOf('cbc:RoundingAmount', tax.inclusive, money)]),
    element('cac:Item', [
      optional('cbc:Description', source.description),
      element('cbc:Name', source.name),
      group('cac:SellersItemIdentification', [optional('cbc:ID', source.sellerItemId)]),
      categoryOf('cac:ClassifiedTaxCategory', source.vat),
    ]),
    element('cac:Price', [
      element('cbc:PriceAmount', source.unitPrice, { currencyID: money.currency }),
      optional('cbc:BaseQuantity', source.priceQuantity, { unitCode: source.unit }),
    ]),
  ])
}

function roundedOf(text: string, decimals: number): Decimal {
  return round(decimal(text), decimals)
}

function lineTax(net: Decimal, rate: Decimal, decimals: number) {
  const tax = divide(multiply(net, rate), decimal('100'), decimals)
  return { tax, inclusive: add(net, tax) }
}
