import { type InvoiceValues, noValues, type Part, partyValues, profiles } from '#src/pages/einvoice/invoice-values.ts'

/**
 * The values of another e-invoice by the same seller.
 *
 * @param xml of an earlier one, as the platform writes it: pages may not give texts to the parser of the browser.
 */
export function valuesLike(xml: string, profile: InvoiceValues['profile'] = profiles[0]): InvoiceValues {
  const party = (path: string) => textAt(xml, `AccountingSupplierParty/Party/${path}`)
  const address = (name: string) => party(`PostalAddress/${name}`)
  const seller: Readonly<Record<Part, string>> = {
    Name: party('PartyLegalEntity/RegistrationName'),
    VatId: party('PartyTaxScheme/CompanyID'),
    Street: address('StreetName'),
    Building: address('BuildingNumber'),
    District: address('CitySubdivisionName'),
    Postcode: address('PostalZone'),
    City: address('CityName'),
    Country: address('Country/IdentificationCode'),
  }
  return {
    ...noValues,
    ...partyValues('seller', seller),
    profile,
    currency: textAt(xml, 'DocumentCurrencyCode'),
    account: textAt(xml, 'PaymentMeans/PayeeFinancialAccount/ID'),
  }
}

function textAt(xml: string, path: string): string {
  const content = path
    .split('/')
    .reduce(
      (at, name) => new RegExp(`<(?<tag>\\w+:${name})(?:\\s[^>]*)?>(?<content>.*?)</\\k<tag>>`, 's').exec(at)?.groups?.['content'] ?? '',
      xml,
    )
  return content.replaceAll(/&(?<name>\w+|#\d+|#x[\dA-F]+);/gi, (whole, name: string) => characterOf(name) ?? whole)
}

const characters: Readonly<Record<string, string | undefined>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return characters[name]
  const isHexadecimal = name.startsWith('#x')
  return String.fromCodePoint(Number.parseInt(name.slice(isHexadecimal ? 2 : 1), isHexadecimal ? 16 : 10))
}
