import Pdf from 'pdfkit'

export type PdfDocument = InstanceType<typeof Pdf>

/** Where a document is drawn; `bytes` resolves after its end. */
export interface OpenPdf {
  readonly document: PdfDocument
  readonly bytes: Promise<Buffer>
}

/** Begins a PDF/A-3b without margins. The same drawing gives the same bytes but for the id of the file. */
export function openPdf({ title, at, layout = 'portrait' }: { title: string; at: Date; layout?: 'portrait' | 'landscape' }): OpenPdf {
  const document = new Pdf({
    size: 'A4',
    layout,
    margin: 0,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    lang: 'en',
    info: { Title: title, CreationDate: at, ModDate: at, Producer: 'Millrace', Creator: 'Millrace' },
  })
  const parts: Buffer[] = []
  const bytes = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(Buffer.concat(parts)))
    document.on('error', reject)
  })
  return { document, bytes }
}
