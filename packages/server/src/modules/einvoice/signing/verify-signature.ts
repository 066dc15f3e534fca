import { createHash, X509Certificate } from 'node:crypto'
import type { Element } from '@xmldom/xmldom'
import { parseDom } from '#modules/einvoice/ubl/read-xml.ts'
import { loadXades } from './xades-library.ts'

export interface SignatureReport {
  readonly isValid: boolean
  /** SHA-256 of the certificate, hexadecimal. */
  readonly fingerprint: string
  readonly subject: string
}

const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#'

/** Verifies the signature inside of a document with the certificate that it names; undefined for a document without one. */
export async function verifySignature(xml: string): Promise<SignatureReport | undefined> {
  const document = await parseDom(xml)
  const [signature, another] = Array.from(document.getElementsByTagNameNS(signatureNamespace, 'Signature'))
  if (signature === undefined) return undefined
  const { fingerprint, subject } = certificateOf(
    signature.getElementsByTagNameNS(signatureNamespace, 'X509Certificate')[0]?.textContent ?? '',
  )
  if (another !== undefined || !coversDocument(signature)) return { isValid: false, fingerprint, subject }
  const { xades } = await loadXades()
  // The library looks for the signature among the children of the root only.
  signature.parentNode?.removeChild(signature)
  const signed = new xades.SignedXml(document)
  try {
    signed.LoadXml(signature)
    return { isValid: await signed.Verify(), fingerprint, subject }
  } catch {
    return { isValid: false, fingerprint, subject }
  }
}

function certificateOf(text: string) {
  const bytes = Buffer.from(text, 'base64')
  const fingerprint = createHash('sha256').update(bytes).digest('hex')
  try {
    return { fingerprint, subject: new X509Certificate(bytes).subject.replaceAll('\n', ', ') }
  } catch {
    return { fingerprint, subject: 'unreadable' }
  }
}

const wholeTransforms: ReadonlySet<string | null> = new Set([
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
])

/** Whether a reference signs the document as a whole: another, or one that selects parts of it, would leave the rest open. */
function coversDocument(signature: Element): boolean {
  return Array.from(signature.getElementsByTagNameNS(signatureNamespace, 'Reference')).some((reference) => {
    const transforms = Array.from(reference.getElementsByTagNameNS(signatureNamespace, 'Transform'))
    return (reference.getAttribute('URI') ?? '') === '' && transforms.every((each) => wholeTransforms.has(each.getAttribute('Algorithm')))
  })
}
