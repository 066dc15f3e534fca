import { readFile } from 'node:fs/promises'
import { type EinvoiceReport, readEinvoiceFile, verifyEinvoices } from '@millrace/server'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { Failure, messageOf, unreadable, usageFailure } from '#command/failure.ts'
import { createPaint } from '#terminal/paint.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface VerifyEinvoiceRequest {
  readonly files: readonly string[]
  /** The text of the QR code of the only file. */
  readonly qr: string | undefined
  readonly json: boolean
}

/** Verifies e-invoices by their files alone: no database and no network. */
export async function verifyEinvoiceFiles(request: VerifyEinvoiceRequest, { stdout, stderr }: Terminal): Promise<ExitCode> {
  const { files, qr, json } = request
  if (files.length === 0) throw usageFailure('Name the file of an e-invoice: millrace verify einvoice FILE.')
  if (qr !== undefined && files.length > 1) throw usageFailure('--qr is the code of one file; name only that file.')
  const read = await Promise.all(files.map(async (name) => ({ name, xml: await xmlOf(name), qr })))
  const reports = await verifyEinvoices(read)
  const paint = createPaint(stdout)
  for (const report of reports) {
    const { file, problems } = report
    if (json) stdout.write(`${JSON.stringify({ ...report, signature: report.signature ?? null })}\n`)
    else if (problems.length === 0) stdout.write(`${paint.green('✓')} ${file} ${paint.dim(summaryOf(report))}\n`)
    else
      for (const { kind, detail, path } of problems)
        stdout.write(`${paint.red('✗')} ${file} ${kind}: ${detail}${path === undefined ? '' : ` at ${path}`}\n`)
  }
  const wrong = reports.filter(({ problems }) => problems.length > 0).length
  if (!json) stderr.write(`${reports.length} verified, ${wrong === 0 ? 'all valid' : `${wrong} invalid`}.\n`)
  return wrong === 0 ? exitCodes.ok : exitCodes.failed
}

async function xmlOf(name: string): Promise<string> {
  const bytes = await readFile(name).catch((error: unknown) => {
    throw unreadable(name, error)
  })
  const xml = await readEinvoiceFile(bytes).catch((error: unknown) => {
    throw new Failure(`${name} is no readable PDF: ${messageOf(error)}`, { cause: error })
  })
  if (xml === undefined) throw new Failure(`${name} is a PDF without one XML file inside.`)
  return xml
}

function summaryOf({ number, counter, signature }: EinvoiceReport): string {
  const place = counter === undefined ? 'no chain' : `${counter} of its chain`
  const signed = signature === undefined ? 'not signed' : `signed by ${signature.subject} (${signature.fingerprint.slice(0, 16)})`
  return `${number ?? ''}: ${place}, ${signed}`
}
