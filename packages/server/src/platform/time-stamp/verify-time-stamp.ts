import { Certificate, ContentInfo, SignedData, TSTInfo } from 'pkijs'

const signedDataId = '1.2.840.113549.1.7.2'
const extendedKeyUsageId = '2.5.29.37'
const timeStampingId = '1.3.6.1.5.5.7.3.8'

export interface TimeStampReport {
  /** The time that it states. */
  readonly at: Date | undefined
  readonly problem: string | undefined
}

/** The certificates of a text in PEM. Throws if it has none. */
export function certificatesOf(pem: string): readonly Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) throw new Error('it has no certificate in PEM')
  return blocks.map((block) => Certificate.fromBER(bytesOf(Buffer.from(block.replaceAll(/-----[^-]+-----/g, ''), 'base64'))))
}

/** Verifies a time stamp token (RFC 3161) over a text: what it covers, its signature, and its certificate against trusted ones. */
export async function verifyTimeStamp(token: string, text: string, trusted: readonly Certificate[]): Promise<TimeStampReport> {
  try {
    const content = ContentInfo.fromBER(bytesOf(Buffer.from(token, 'base64')))
    if (content.contentType !== signedDataId) throw new Error('it is no signed data')
    const signed = new SignedData({ schema: content.content })
    const value = signed.encapContentInfo.eContent?.getValue()
    if (value === undefined) throw new Error('it is empty')
    const info = TSTInfo.fromBER(value)
    const result = await signed.verify({
      signer: 0,
      data: bytesOf(Buffer.from(text)),
      trustedCerts: [...trusted],
      checkChain: true,
      checkDate: info.genTime,
      extendedMode: true,
    })
    const { signatureVerified, signerCertificate } = result
    if (signatureVerified !== true) throw new Error('its signature is wrong')
    if (!mayStamp(signerCertificate)) throw new Error('its certificate is not one of a time stamp authority')
    return { at: info.genTime, problem: undefined }
  } catch (error) {
    return { at: undefined, problem: `The time stamp is not valid: ${reasonOf(error)}.` }
  }
}

function mayStamp(certificate: Certificate | null | undefined): boolean {
  const usage = certificate?.extensions?.find(({ extnID }) => extnID === extendedKeyUsageId)?.parsedValue
  return usage !== undefined && 'keyPurposes' in usage && Array.isArray(usage.keyPurposes) && usage.keyPurposes.includes(timeStampingId)
}

/** The library rejects with errors that carry their reason, and some without a text. */
function reasonOf(error: unknown): string {
  const text = (error instanceof Error ? error.message : '').replace(/\.$/, '')
  return text === '' ? 'it does not cover this log, or its certificate is not trusted' : text
}

function bytesOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}
