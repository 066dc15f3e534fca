import { Fault } from '@millrace/contract'
import { calculate } from '#modules/einvoice/calculate.ts'
import { hashOf } from '#modules/einvoice/document-hash.ts'
import { findingsOf } from '#modules/einvoice/findings-of.ts'
import { type EinvoiceSummary, summaryOf } from '#modules/einvoice/einvoice-summary.ts'
import type { InvoiceSource, Sealing } from '#modules/einvoice/model.ts'
import { printedEinvoice, type PrintableEinvoice } from '#modules/einvoice/printed-einvoice.ts'
import { profileOf } from '#modules/einvoice/profile-of.ts'
import { profiles } from '#modules/einvoice/profiles.ts'
import { qrFields } from '#modules/einvoice/qr-code.ts'
import type { Finding } from '#modules/einvoice/rules/rule.ts'
import type { DevelopmentKey } from '#modules/einvoice/signing/development-certificate.ts'
import { type SignedXml, signXml } from '#modules/einvoice/signing/sign-xml.ts'
import { buildUbl } from '#modules/einvoice/ubl/build-ubl.ts'
import { documentOf } from '#modules/einvoice/ubl/element.ts'
import { elementsMax, readUbl } from '#modules/einvoice/ubl/read-xml.ts'
import { writeXml, xmlDeclaration } from '#modules/einvoice/ubl/write-xml.ts'
import type { PrintedInvoice } from '#platform/pdf/invoice-pdf.ts'

/** Work on an e-invoice that may be long. */
export interface EinvoiceJobs {
  /** Calculates a document and judges it by the rules. */
  readonly judge: { readonly job: { readonly source: InvoiceSource; readonly issuedAt: Date }; readonly result: Judgement }
  /** Writes a document at its place of the chain. `findings` is what it was judged by. */
  readonly write: {
    readonly job: { readonly source: InvoiceSource; readonly place: Sealing; readonly findings: readonly Finding[] }
    readonly result: WrittenXml
  }
  readonly sign: {
    readonly job: { readonly xml: string; readonly key: DevelopmentKey; readonly at: Date }
    readonly result: SignedXml
  }
  /** Reads the summary of a document. */
  readonly describe: { readonly job: { readonly xml: string }; readonly result: EinvoiceSummary }
  readonly view: { readonly job: PrintableEinvoice; readonly result: PrintedInvoice }
}
export type EinvoiceJobKind = keyof EinvoiceJobs
export type EinvoiceJob = { [K in EinvoiceJobKind]: { readonly kind: K } & EinvoiceJobs[K]['job'] }[EinvoiceJobKind]
type Result = EinvoiceJobs[EinvoiceJobKind]['result']

export interface Judgement {
  readonly findings: readonly Finding[]
  readonly qrFields: readonly string[]
}

export interface WrittenXml {
  readonly xml: string
  readonly hash: string
  readonly summary: EinvoiceSummary
}

/** A result, or what is wrong with the source. */
export type EinvoiceOutcome =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'invalid'; readonly problems: readonly { readonly pointer: string; readonly detail: string }[] }

/** Performs a job, in this thread. */
export async function performEinvoice(job: EinvoiceJob): Promise<EinvoiceOutcome> {
  try {
    return { kind: 'done', result: await resultOf(job) }
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'request_invalid') throw error
    return { kind: 'invalid', problems: error.details.errors ?? [] }
  }
}

function resultOf(job: EinvoiceJob): Result | Promise<Result> {
  switch (job.kind) {
    case 'judge':
      return judge(job.source, job.issuedAt)
    case 'write':
      return write(job)
    case 'sign':
      return signXml(job.xml, { ...job.key, certificate: Buffer.from(job.key.certificate) }, job.at)
    case 'describe':
      return describe(job.xml)
    case 'view':
      return printedEinvoice(job)
  }
}

function judge(source: InvoiceSource, issuedAt: Date): Judgement {
  const profile = profiles[source.profile]
  const calculated = calculate(source)
  const document = documentOf(
    buildUbl(calculated, { uuid: '00000000-0000-4000-8000-000000000000', counter: 1, previousHash: '', issuedAt }, profile),
  )
  if (document.size > elementsMax) {
    const detail = `Make ${document.size} elements of UBL; at most ${elementsMax} are possible. Use fewer lines, allowances or charges.`
    throw new Fault('request_invalid', { errors: [{ pointer: '/lines', detail }] })
  }
  return { findings: findingsOf(document, source.profile), qrFields: qrFields(calculated, issuedAt) }
}

function write({ source, place, findings }: EinvoiceJobs['write']['job']): WrittenXml {
  const root = buildUbl(calculate(source), place, profiles[source.profile])
  return { xml: `${xmlDeclaration}${writeXml(root)}`, hash: hashOf(root), summary: summaryOf(root, findings) }
}

async function describe(xml: string): Promise<EinvoiceSummary> {
  const root = await readUbl(xml)
  return summaryOf(root, findingsOf(documentOf(root), profileOf(root)))
}
