import { createHash } from 'node:crypto'
import { at, type XmlElement } from './ubl/element.ts'
import { writeXml } from './ubl/write-xml.ts'

/** `previousHash` of the first document of a chain: the SHA-256 of the digit 0 in hexadecimal, in base64. */
export const firstHash = Buffer.from(createHash('sha256').update('0').digest('hex')).toString('base64')

/** The hash of a document: SHA-256 of its canonical form without signature and QR code, in base64. Signing does not change it. */
export function hashOf(root: XmlElement): string {
  const children = root.children.filter((child) => child.name !== 'ext:UBLExtensions' && child.name !== 'cac:Signature' && !isQrCode(child))
  return createHash('sha256')
    .update(writeXml({ ...root, children }))
    .digest('base64')
}

function isQrCode(element: XmlElement): boolean {
  return element.name === 'cac:AdditionalDocumentReference' && at(element, 'cbc:ID').some(({ text }) => text === 'QR')
}
