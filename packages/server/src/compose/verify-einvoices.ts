import { getDocumentProxy } from 'unpdf'

export { type EinvoiceReport, verifyEinvoices } from '#modules/einvoice/index.ts'

/** The XML of an e-invoice from the bytes of its file: XML, or a PDF with one XML inside. Undefined for a PDF without. */
export async function readEinvoiceFile(bytes: Buffer): Promise<string | undefined> {
  if (bytes.subarray(0, 5).toString('latin1') !== '%PDF-') return bytes.toString('utf8')
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const [name, another] = [...((await document.getAttachments()) ?? new Map<string, unknown>()).keys()].filter((id) => /\.xml$/i.test(id))
  if (name === undefined || another !== undefined) return undefined
  const content = await document.getAttachmentContent(name)
  return content === null ? undefined : Buffer.from(content).toString('utf8')
}
