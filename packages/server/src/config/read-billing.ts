import { type Gate, gates } from '@millrace/contract'
import { integer, listOf, oneOf, publicUrl } from './parse.ts'
import { Mistake, type Reader } from './reader.ts'
import { Secret } from './secret.ts'

export interface BillingSettings {
  readonly gates: ReadonlySet<Gate>
  /** The plan of an account without a subscription. */
  readonly defaultPlan: string
  /** The name on invoices. */
  readonly issuer: string
  /** What an e-invoice says of the issuer beside the name. */
  readonly issuerDetails: IssuerDetails
  readonly taxRates: readonly TaxRate[]
  /** How long an account keeps its plan after a charge failed for the first time. */
  readonly graceDays: number
  readonly pspone: ProviderSettings | undefined
  readonly psptwo: ProviderSettings | undefined
}

export interface IssuerDetails {
  /** ISO 3166-1 alpha-2. */
  readonly country: string | undefined
  readonly vatId: string | undefined
  /** Number of registration. */
  readonly companyId: string | undefined
}

/** The tax on sales to one country, in hundredths of a percent. */
export interface TaxRate {
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly basisPoints: number
}

export interface ProviderSettings {
  /** Without a trailing slash. */
  readonly url: string
  readonly secretKey: Secret
  /** Secrets that sign notifications; several during a rotation. */
  readonly webhookSecrets: readonly Secret[]
}

const stripeUrl = 'https://api.stripe.com'

export function readBilling(reader: Reader): BillingSettings {
  return {
    gates: new Set(reader.read('MILLRACE_GATES', listOf(oneOf(gates)), [])),
    defaultPlan: reader.read('MILLRACE_DEFAULT_PLAN', planName, 'unlimited'),
    issuer: reader.read('MILLRACE_BILLING_ISSUER', String, 'Millrace'),
    issuerDetails: {
      country: reader.optional('MILLRACE_BILLING_ISSUER_COUNTRY', countryCode),
      vatId: reader.optional('MILLRACE_BILLING_ISSUER_VAT_ID', String),
      companyId: reader.optional('MILLRACE_BILLING_ISSUER_COMPANY_ID', String),
    },
    taxRates: reader.read('MILLRACE_TAX_RATES', listOf(taxRate), []),
    graceDays: reader.read('MILLRACE_BILLING_GRACE_DAYS', integer(1, 90), 14),
    pspone: readPspone(reader),
    psptwo: readPsptwo(reader),
  }
}

function readPspone(reader: Reader): ProviderSettings | undefined {
  const url = reader.read('MILLRACE_PSPONE_URL', publicUrl, stripeUrl)
  const key = reader.secret('MILLRACE_PSPONE_SECRET_KEY', 'MILLRACE_PSPONE_SECRET_KEY_FILE', String)
  const secrets = reader.secret('MILLRACE_PSPONE_WEBHOOK_SECRET', 'MILLRACE_PSPONE_WEBHOOK_SECRET_FILE', listOf(String))
  if (key === undefined) return undefined
  return { url, secretKey: new Secret(key), webhookSecrets: (secrets ?? []).map((text) => new Secret(text)) }
}

function readPsptwo(reader: Reader): ProviderSettings | undefined {
  const url = reader.optional('MILLRACE_PSPTWO_URL', publicUrl)
  const key = reader.secret('MILLRACE_PSPTWO_SECRET_KEY', 'MILLRACE_PSPTWO_SECRET_KEY_FILE', String)
  const secrets = reader.secret('MILLRACE_PSPTWO_WEBHOOK_SECRET', 'MILLRACE_PSPTWO_WEBHOOK_SECRET_FILE', listOf(standardSecret))
  if (key === undefined) return undefined
  if (url === undefined) {
    reader.fault('MILLRACE_PSPTWO_URL', 'is not set, but MILLRACE_PSPTWO_SECRET_KEY is. Write the address of the provider.')
    return undefined
  }
  return { url, secretKey: new Secret(key), webhookSecrets: (secrets ?? []).map((text) => new Secret(text)) }
}

function planName(text: string): string {
  if (/^[a-z][a-z0-9-]{0,39}$/.test(text)) return text
  throw new Mistake(`${JSON.stringify(text)} is not the name of a plan. Write for example unlimited or free.`)
}

function countryCode(text: string): string {
  if (/^[A-Z]{2}$/.test(text)) return text
  throw new Mistake(`${JSON.stringify(text)} is not a country code. Write two capital letters, for example DE.`)
}

/** `DE:19` or `CH:8.1`: a country and a rate in percent with at most two decimals. */
function taxRate(text: string): TaxRate {
  const match = /^(?<country>[A-Z]{2}):(?<whole>\d{1,2})(?:\.(?<part>\d{1,2}))?$/.exec(text)
  if (match?.groups === undefined) throw new Mistake(`${JSON.stringify(text)} is not a tax rate. Write for example DE:19 or CH:8.1.`)
  const { country = '', whole = '', part = '' } = match.groups
  return { country, basisPoints: Number(whole) * 100 + Number(part.padEnd(2, '0')) }
}

/** A secret of Standard Webhooks. The message does not repeat it. */
function standardSecret(text: string): string {
  const bytes = Buffer.from(text.replace(/^whsec_/, ''), 'base64')
  if (/^(?:whsec_)?[\w+/-]+={0,2}$/.test(text) && bytes.length >= 16) return text
  throw new Mistake('is not a secret of Standard Webhooks. Write whsec_ and at least 16 bytes in base64.')
}
