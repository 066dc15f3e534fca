import { expect, test } from 'vitest'
import { valuesLike } from './values-like.ts'

const xml = `<?xml version="1.0" encoding="UTF-8"?>
<ubl:Invoice xmlns:ubl="urn:x" xmlns:cac="urn:y" xmlns:cbc="urn:z"><cbc:ID>2026-1</cbc:ID><cbc:DocumentCurrencyCode>SAR</cbc:DocumentCurrencyCode>
<cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>Mill</cbc:Name></cac:PartyName><cac:PostalAddress><cbc:StreetName>King Road</cbc:StreetName>
<cbc:BuildingNumber>1234</cbc:BuildingNumber><cbc:CitySubdivisionName>Olaya</cbc:CitySubdivisionName><cbc:CityName>Riyadh</cbc:CityName>
<cac:Country><cbc:IdentificationCode>SA</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
<cac:PartyTaxScheme><cbc:CompanyID>300000000000003</cbc:CompanyID></cac:PartyTaxScheme>
<cac:PartyLegalEntity><cbc:RegistrationName>M&#252;hle &amp; S&#xF6;hne</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>
<cac:AccountingCustomerParty><cac:Party><cac:PostalAddress><cbc:PostalZone>20095</cbc:PostalZone></cac:PostalAddress></cac:Party></cac:AccountingCustomerParty>
<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cac:PayeeFinancialAccount><cbc:ID schemeID="IBAN">DE02</cbc:ID></cac:PayeeFinancialAccount>
</cac:PaymentMeans></ubl:Invoice>`

test('another e-invoice has the seller, the rules, the currency and the account of the one before, and no number or buyer', () => {
  expect(valuesLike(xml, 'zatca-standard')).toMatchObject({
    sellerName: 'Mühle & Söhne',
    sellerVatId: '300000000000003',
    sellerStreet: 'King Road',
    sellerBuilding: '1234',
    sellerDistrict: 'Olaya',
    sellerCity: 'Riyadh',
    sellerPostcode: '',
    sellerCountry: 'SA',
    profile: 'zatca-standard',
    currency: 'SAR',
    account: 'DE02',
    number: '',
    buyerName: '',
    buyerPostcode: '',
  })
})
