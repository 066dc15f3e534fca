import { X509Certificate } from 'node:crypto'
import { Mistake } from './reader.ts'

/** Reads one or more certificates in PEM; other content of the file, such as a private key, is ignored. */
export function certificates(text: string): string {
  const found = text.match(certificatePattern) ?? []
  if (found.length === 0) throw new Mistake('names a file without a certificate. The file must contain "-----BEGIN CERTIFICATE-----".')
  for (const [index, certificate] of found.entries()) {
    try {
      void new X509Certificate(certificate)
    } catch {
      throw new Mistake(`names a file whose certificate ${index + 1} cannot be read.`)
    }
  }
  return `${found.join('\n')}\n`
}

const certificatePattern = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g
