import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery, searchText } from '#src/list.ts'
import { alias, operation } from '#src/operation.ts'
import { formLine as line, formText as text } from './lead-schemas.ts'

const Decimal = z
  .string()
  .regex(/^-?\d{1,12}(?:\.\d{1,6})?$/, { error: 'Must be a decimal number as text, such as "12.50", with at most 6 decimals.' })
const Positive = z.string().regex(/^\d{1,12}(?:\.\d{1,6})?$/, {
  error: 'Must be a decimal number as text that is not negative, such as "12.50", with at most 12 digits before the point and 6 after it.',
})
const Day = z.iso.date({ error: 'Must be a date such as 2026-11-23.' })
const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, { error: 'Must be a country code of two capital letters.' })
  .meta({ examples: ['DE'] })
const Currency = z.string().regex(/^[A-Z]{3}$/, { error: 'Must be a currency code of three capital letters.' })

const Vat = z
  .strictObject({
    category: z.enum(['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M']).default('S').describe('Category of VAT (UNTDID 5305).'),
    rate: Positive.optional().meta({ description: 'In per cent. Zero unless given, none for `O`.', examples: ['19'] }),
    exemptionReason: line(200).optional(),
    exemptionCode: line(40).optional().describe('Code of the list VATEX.'),
  })
  .meta({ id: 'EinvoiceVat' })

const Charge = z.strictObject({
  amount: Positive.optional().describe('Either `amount` or `percent`.'),
  percent: Positive.optional(),
  reason: line(200),
  vat: Vat.optional().describe('Only for the document as a whole; required there.'),
})

const Party = z
  .strictObject({
    name: line(200),
    tradeName: line(200).optional(),
    vatId: line(40)
      .optional()
      .meta({ description: 'Identifier of VAT, with its country.', examples: ['DE123456789'] }),
    companyId: line(60).optional().describe('Number of registration.'),
    companyScheme: line(10).optional().describe('Scheme of `companyId`: a code of ISO 6523, or for `zatca` profiles such as CRN.'),
    address: z.strictObject({
      street: line(200).optional(),
      additional: line(200).optional(),
      building: line(20).optional(),
      district: line(100).optional(),
      city: line(100).optional(),
      postcode: line(20).optional(),
      region: line(100).optional(),
      country: Country,
    }),
    contact: z.strictObject({ name: line(100).optional(), phone: line(40).optional(), email: z.email().max(254).optional() }).optional(),
    electronicAddress: z.strictObject({ id: line(100), scheme: line(10) }).optional(),
  })
  .meta({ id: 'EinvoiceParty' })

const Line = z.strictObject({
  id: line(20).optional().describe('The number of the line unless given.'),
  name: line(200).meta({ examples: ['Workshop'] }),
  description: text(1000).optional(),
  quantity: Decimal.meta({ examples: ['2'] }),
  unit: line(10).default('C62').describe('UN/ECE Recommendation 20; `C62` is one piece.'),
  unitPrice: Positive.meta({ description: 'Net, for `priceQuantity` units.', examples: ['450.00'] }),
  priceQuantity: Positive.optional().describe('1 unless given.'),
  allowances: z.array(Charge).max(20).default([]),
  charges: z.array(Charge).max(20).default([]),
  vat: Vat,
  sellerItemId: line(60).optional(),
  note: text(500).optional(),
})

const Profile = z.enum(['en16931', 'zatca-standard', 'zatca-simplified'])

const Source = z.strictObject({
  profile: Profile.default('en16931').describe(
    'Rules beyond EN 16931: `zatca-standard` and `zatca-simplified` are after those of Saudi Arabia.',
  ),
  kind: z.enum(['invoice', 'credit_note']).default('invoice'),
  number: line(60).meta({
    description: 'Number of the invoice; yours to keep unique. A number that the account has used is a warning.',
    examples: ['2026-0042'],
  }),
  issueDate: Day.optional().describe('Today (UTC) unless given.'),
  dueDate: Day.optional(),
  currency: Currency.meta({ examples: ['EUR'] }),
  note: text(1000).optional(),
  buyerReference: line(100).optional(),
  orderReference: line(100).optional(),
  precedingInvoice: z.strictObject({ number: line(60), issueDate: Day.optional() }).optional(),
  period: z.strictObject({ start: Day.optional(), end: Day.optional() }).optional(),
  delivery: z.strictObject({ date: Day.optional(), country: Country.optional() }).optional(),
  seller: Party,
  buyer: Party.optional().describe('Required but for `zatca-simplified`.'),
  payment: z
    .strictObject({
      means: line(3).default('30').describe('UNTDID 4461: 30 transfer, 58 SEPA transfer, 10 cash, 48 card.'),
      account: line(40).optional().describe('IBAN, whose check digits are verified, or another number of the account of the payee.'),
      accountName: line(100).optional(),
      bic: line(11).optional(),
      reference: line(140).optional(),
      terms: text(500).optional(),
    })
    .optional(),
  allowances: z.array(Charge).max(50).default([]),
  charges: z.array(Charge).max(50).default([]),
  prepaid: Positive.optional(),
  rounding: Decimal.optional(),
  lines: z.array(Line).min(1).max(1000),
})

const Finding = z
  .object({
    rule: z.string(),
    severity: z.enum(['fatal', 'warning']),
    path: z.string().describe('XPath of the place.'),
    meaning: z.string(),
  })
  .meta({ id: 'EinvoiceFinding' })

const LegalStatus = z
  .object({
    development: z.literal(true),
    clearance: z.literal('none'),
    certification: z.literal('none'),
    submission: z.literal('unavailable'),
    notice: z.string(),
  })
  .meta({ id: 'EinvoiceLegalStatus' })

const minor = z.int().describe('In minor units of the currency.')

const Einvoice = z
  .object({
    id: typeId('einv'),
    uuid: z.uuid().meta({ examples: ['01933b7e-5c1a-7d2e-9f3b-4a6c8e0d2f41'] }),
    number: z.string(),
    kind: z.enum(['invoice', 'credit_note']),
    profile: Profile,
    counter: z.int().describe('Without gaps in the account, from 1.'),
    hash: z.string().describe('SHA-256 of the canonical document without signature and QR code, in base64.'),
    previousHash: z.string().describe('`hash` of the document before it; for the first one a fixed value.'),
    xml: z.string(),
    qr: z.object({ tlv: z.string().describe('Base64.'), png: z.string().describe('PNG in base64.') }),
    totals: z.object({
      currency: z.string(),
      lines: minor,
      allowances: minor,
      charges: minor,
      taxExclusive: minor,
      tax: minor,
      taxInclusive: minor,
      prepaid: minor,
      payable: minor,
    }),
    validation: z.object({ rules: z.int().describe('Number of rules that judged it.'), findings: z.array(Finding).describe('Warnings.') }),
    legalStatus: LegalStatus,
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Einvoice' })

const base = { stability: 'beta', auth: { scope: 'einvoice:write' }, rateLimit: 'default', idempotency: 'keyed' } as const

const generate = operation({
  ...base,
  id: 'einvoice.generate',
  method: 'POST',
  path: '/api/v1/einvoice/generate',
  summary: 'Generate an e-invoice',
  description:
    'Makes a UBL 2.1 invoice or credit note with a QR code, calculates its totals exactly, and judges it by the business rules of EN 16931 before it responds. The result is a local development artefact: it is neither cleared nor certified, and is sent nowhere.',
  role: 'member',
  audit: 'einvoice.generated',
  body: Source,
  reply: Einvoice,
  errors: ['einvoice_invalid'],
})

const generateFromInvoice = operation({
  ...base,
  id: 'einvoice.generateFromInvoice',
  method: 'POST',
  path: '/api/v1/einvoice/from-invoice',
  summary: 'Generate an e-invoice of an invoice',
  description:
    'Makes an e-invoice of an invoice or credit note of this account (`GET /api/v1/billing/invoices`), as `POST /api/v1/einvoice/generate` does: the seller is the issuer of the invoice, with country and identifiers from the configuration, and the buyer is the account. Like the invoices, it is for administrators.',
  role: 'admin',
  audit: 'einvoice.generated',
  body: z.strictObject({ invoiceId: typeId('inv').meta({ examples: ['inv_01h455vb4pex5vsknk084sn02q'] }) }),
  reply: Einvoice,
  errors: ['einvoice_invalid', 'not_found', 'conflict'],
})

const sign = operation({
  ...base,
  id: 'einvoice.sign',
  method: 'POST',
  path: '/api/v1/einvoice/sign',
  summary: 'Sign an e-invoice for development',
  description:
    'Signs a generated e-invoice (XAdES, ECDSA P-256) with a development certificate of the account, which is made at first use. It is no clearance; submission to an authority is unavailable.',
  role: 'admin',
  audit: 'einvoice.signed',
  bodyLimit: 4 * 1024 * 1024,
  body: z.strictObject({
    id: typeId('einv').meta({ description: 'Of a generated e-invoice.', examples: ['einv_01h455vb4pex5vsknk084sn02q'] }),
  }),
  reply: z.object({
    id: typeId('einv'),
    xml: z.string().describe('The signed document.'),
    algorithm: z.literal('ECDSA-SHA256'),
    certificate: z.string().describe('The development certificate as PEM.'),
    fingerprint: z.string().describe('SHA-256 of the certificate, hexadecimal.'),
    qr: z.object({ tlv: z.string(), png: z.string() }).describe('With hash, signature and public key.'),
    signedAt: z.iso.datetime(),
    legalStatus: LegalStatus,
  }),
  errors: ['not_found'],
})

const reads = {
  stability: 'beta',
  auth: { scope: 'einvoice:write' },
  rateLimit: 'default',
  idempotency: 'natural',
  method: 'GET',
  role: 'member',
  audit: 'none',
} as const

const pdf = operation({
  ...reads,
  id: 'einvoice.pdf',
  path: '/api/v1/einvoice/{id}/pdf',
  summary: 'Download an e-invoice as PDF',
  description: 'A PDF/A-3b that people read, with the XML inside as `invoice.xml`. The pages are made from the XML alone.',
  media: 'application/pdf',
  params: z.object({ id: typeId('einv') }),
  reply: z.string().describe('The bytes of the PDF file.'),
  errors: ['not_found'],
})

const EinvoiceEntry = z
  .object({
    id: typeId('einv'),
    number: z.string(),
    kind: z.enum(['invoice', 'credit_note']),
    profile: Profile,
    counter: z.int(),
    issueDate: z.iso.date().meta({ examples: ['2026-11-23'] }),
    seller: z.string(),
    buyer: z.string().nullable().describe('Null where the profile needs none.'),
    currency: z.string(),
    total: minor.describe('With tax, in minor units of the currency.'),
    findings: z.array(Finding).describe('Warnings: a document that violates a rule is not stored.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'EinvoiceEntry' })

const list = operation({
  ...reads,
  id: 'einvoice.list',
  path: '/api/v1/einvoice',
  summary: 'List the e-invoices',
  description: 'All documents of the chain of this account, without their XML.',
  query: z.strictObject({
    ...listQuery,
    search: searchText.describe('Only documents whose number contains this text.'),
    number: z.string().trim().min(1).max(60).optional().describe('Only documents with exactly this number.'),
  }),
  reply: listPage(EinvoiceEntry),
  errors: [],
})

const get = operation({
  ...reads,
  id: 'einvoice.get',
  path: '/api/v1/einvoice/{id}',
  summary: 'Read an e-invoice',
  description: 'A document as `POST /api/v1/einvoice/generate` returned it: XML, QR code, totals, and the findings of its validation.',
  params: z.object({ id: typeId('einv') }),
  reply: Einvoice,
  errors: ['not_found'],
})

const generateUnprefixed = alias(generate, { id: 'einvoice.generateUnprefixed', path: '/einvoice/generate' })
const signUnprefixed = alias(sign, { id: 'einvoice.signUnprefixed', path: '/einvoice/sign' })

/** E-invoices after EN 16931. */
export const einvoice = { list, get, generate, generateFromInvoice, sign, pdf, generateUnprefixed, signUnprefixed } as const
