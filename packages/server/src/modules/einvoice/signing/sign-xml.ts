import { webcrypto } from 'node:crypto'
import { namespaces } from '#modules/einvoice/ubl/element.ts'
import { parseDom } from '#modules/einvoice/ubl/read-xml.ts'
import { xmlDeclaration } from '#modules/einvoice/ubl/write-xml.ts'
import type { DevelopmentKey } from './development-certificate.ts'
import { loadXades } from './xades-library.ts'

export interface SignedXml {
  readonly xml: string
  readonly signature: Uint8Array
}

/** Signs a document by an enveloped XAdES signature (ECDSA P-256, SHA-256) in its first extension. */
export async function signXml(xml: string, key: DevelopmentKey, at: Date): Promise<SignedXml> {
  const { xades, XMLSerializer } = await loadXades()
  const document = await parseDom(withExtension(xml))
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
  const privateKey = await webcrypto.subtle.importKey('pkcs8', key.privateKey, algorithm, false, ['sign'])
  const signed = new xades.SignedXml()
  await signed.Sign(algorithm, privateKey, document, {
    references: [{ hash: 'SHA-256', transforms: ['enveloped', 'c14n'] }],
    signingCertificate: key.certificate.toString('base64'),
    signingTime: { value: at },
    x509: [key.certificate.toString('base64')],
  })
  const place = document.getElementsByTagNameNS(namespaces['ext'] ?? '', 'ExtensionContent')[0]
  const element = signed.XmlSignature.GetXml()
  if (place === undefined || element === null || element === undefined) throw new Error('the signature has no place in the document')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The library made it with the same DOM.
  place.appendChild(document.importNode(element as Parameters<typeof document.importNode>[0], true))
  const value = signed.XmlSignature.SignatureValue
  if (value === null || value === undefined) throw new Error('the signature has no value')
  return {
    xml: `${xmlDeclaration}${new XMLSerializer().serializeToString(document.documentElement ?? document)}`,
    signature: Buffer.from(value),
  }
}

/** The place of the signature has to be there before the document is signed. */
function withExtension(xml: string): string {
  const empty = '<ext:UBLExtensions><ext:UBLExtension><ext:ExtensionContent></ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions>'
  return xml.replace(/(<(?:Invoice|CreditNote) [^>]*>)/, (head: string) => `${head}${empty}`)
}
