import { openPdf, type PdfDocument } from './open-pdf.ts'
import { createTextWriter, type TextWriter } from './text-writer.ts'

type Labelled = readonly [label: string, value: string]

/** What is on the pages of an invoice, as texts. */
export interface PrintedInvoice {
  /** Such as `Invoice 17`. */
  readonly title: string
  readonly issuedAt: Date
  readonly parties: readonly { readonly label: string; readonly lines: readonly string[] }[]
  readonly details: readonly Labelled[]
  /** The first column is a text, the others are amounts. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly totals: readonly Labelled[]
  readonly notes: readonly string[]
  /** PNG. */
  readonly qrCode?: Uint8Array
  /** A file inside of the PDF, of which the pages are a view. */
  readonly attachment?: { readonly name: string; readonly media: string; readonly content: Uint8Array; readonly description: string }
}

const margin = 50
const width = 595.28 - 2 * margin
const bottom = 841.89 - margin - 20
const amountWidth = 88
const small = 8
const normal = 10
const grey = '#666666'

/** Makes a PDF/A-3b, which may carry its data as an attachment. The same invoice gives the same bytes but for the id of the file. */
export async function makeInvoicePdf(invoice: PrintedInvoice): Promise<Buffer> {
  const { document, bytes } = openPdf({ title: invoice.title, at: invoice.issuedAt })
  draw(document, createTextWriter(document), invoice)
  const { attachment, issuedAt } = invoice
  if (attachment !== undefined) {
    // PDF/A-3 asks for the relation of the file to the document, which the types of pdfkit leave out.
    const options = { name: attachment.name, type: attachment.media, description: attachment.description, relationship: 'Alternative' }
    document.file(Buffer.from(attachment.content), { ...options, creationDate: issuedAt, modifiedDate: issuedAt })
  }
  document.end()
  return bytes
}

interface Pen {
  readonly document: PdfDocument
  readonly text: TextWriter
  y: number
}

function draw(document: PdfDocument, text: TextWriter, invoice: PrintedInvoice): void {
  const pen: Pen = { document, text, y: margin }
  pen.y += text.write(invoice.title, { x: margin, y: pen.y, width, size: 20 }) + 14
  drawParties(pen, invoice)
  for (const [label, value] of invoice.details) {
    text.write(label, { x: margin, y: pen.y, width: 120, size: normal, color: grey })
    pen.y += text.write(value, { x: margin + 125, y: pen.y, width: width - 125, size: normal })
  }
  pen.y += 14
  drawRow(pen, invoice.columns, grey)
  drawRule(pen)
  for (const row of invoice.rows) drawRow(pen, row)
  drawRule(pen)
  for (const [label, value] of invoice.totals) drawTotal(pen, label, value)
  pen.y += 14
  for (const note of invoice.notes) {
    breakBefore(pen, text.heightOf(note, { width, size: small }))
    pen.y += text.write(note, { x: margin, y: pen.y, width, size: small, color: grey }) + 4
  }
  if (invoice.qrCode === undefined) return
  breakBefore(pen, 110)
  document.image(Buffer.from(invoice.qrCode), margin, pen.y + 6, { width: 100 })
}

function drawParties(pen: Pen, { parties }: PrintedInvoice): void {
  const column = width / Math.max(1, parties.length)
  const heights = parties.map(({ label, lines }, index) => {
    const place = { x: margin + index * column, width: column - 16 }
    let height = pen.text.write(label, { ...place, y: pen.y, size: small, color: grey })
    for (const line of lines) height += pen.text.write(line, { ...place, y: pen.y + height, size: normal })
    return height
  })
  pen.y += Math.max(0, ...heights) + 14
}

function drawRow(pen: Pen, [first = '', ...amounts]: readonly string[], color?: string): void {
  const textWidth = width - amounts.length * amountWidth
  const size = normal - 1
  const paint = color === undefined ? {} : { color }
  breakBefore(pen, pen.text.heightOf(first, { width: textWidth - 8, size }))
  const height = pen.text.write(first, { x: margin, y: pen.y, width: textWidth - 8, size, ...paint })
  for (const [index, amount] of amounts.entries())
    pen.text.write(amount, { x: margin + textWidth + index * amountWidth, y: pen.y, width: amountWidth, size, align: 'end', ...paint })
  pen.y += height + 3
}

function drawTotal(pen: Pen, label: string, value: string): void {
  breakBefore(pen, 18)
  pen.text.write(label, { x: margin + width / 2, y: pen.y, width: width / 4, size: normal, color: grey })
  pen.y += pen.text.write(value, { x: margin + (width * 3) / 4, y: pen.y, width: width / 4, size: normal, align: 'end' })
}

function drawRule(pen: Pen): void {
  pen.document
    .moveTo(margin, pen.y + 1)
    .lineTo(margin + width, pen.y + 1)
    .lineWidth(0.5)
    .strokeColor('#bbbbbb')
    .stroke()
  pen.y += 6
}

function breakBefore(pen: Pen, height: number): void {
  if (pen.y + height <= bottom) return
  pen.document.addPage({ size: 'A4', margin: 0 })
  pen.y = margin
}
