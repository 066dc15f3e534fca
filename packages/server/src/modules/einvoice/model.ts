import type { einvoice, Received, Reply } from '@millrace/contract'
import type { Decimal } from './decimal.ts'

export type InvoiceSource = Received<typeof einvoice.generate>['body']
export type InvoiceParty = InvoiceSource['seller']
export type SourceLine = InvoiceSource['lines'][number]
export type SourceCharge = InvoiceSource['allowances'][number]
export type Vat = SourceLine['vat']
export type ProfileId = InvoiceSource['profile']
export type InvoiceKind = InvoiceSource['kind']
export type LegalStatus = Reply<typeof einvoice.generate>['legalStatus']

/** One allowance or charge with its calculated amount. */
export interface Charged {
  readonly isCharge: boolean
  readonly amount: Decimal
  readonly base: Decimal | undefined
  readonly source: SourceCharge
}

export interface CalculatedLine {
  readonly source: SourceLine
  readonly net: Decimal
  readonly charges: readonly Charged[]
}

/** A part of the breakdown of the tax. */
export interface TaxPart {
  readonly vat: Vat
  /** `undefined` for what is not subject to VAT. */
  readonly rate: Decimal | undefined
  readonly base: Decimal
  readonly tax: Decimal
}

export interface Calculated {
  readonly source: InvoiceSource
  /** Decimals of the currency. */
  readonly decimals: number
  readonly lines: readonly CalculatedLine[]
  readonly charges: readonly Charged[]
  readonly parts: readonly TaxPart[]
  readonly sums: Readonly<
    Record<'lines' | 'allowances' | 'charges' | 'taxExclusive' | 'tax' | 'taxInclusive' | 'prepaid' | 'payable', Decimal>
  >
}

/** What makes a document one of a chain. */
export interface Sealing {
  readonly uuid: string
  readonly counter: number
  readonly previousHash: string
  readonly issuedAt: Date
}

export const legalStatus: LegalStatus = {
  development: true,
  clearance: 'none',
  certification: 'none',
  submission: 'unavailable',
  notice: 'Local development artefact: neither cleared nor certified by an authority, and not submitted. Submission is unavailable.',
}
