import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

export interface DevelopmentKey {
  /** PKCS #8, DER. */
  readonly privateKey: Buffer
  /** X.509, DER. */
  readonly certificate: Buffer
}

const validYears = 5
const oids = { ecdsaWithSha256: '06082a8648ce3d040302', commonName: '0603550403', organisation: '060355040a' } as const

/** Makes a key for ECDSA P-256 with a certificate of its own (RFC 5280) that says that it is for development. */
export function makeDevelopmentKey(now: Date, serial: Uint8Array): DevelopmentKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = sequence(
    attribute(oids.organisation, 'Millrace'),
    attribute(oids.commonName, 'Millrace development signature, no clearance'),
  )
  const end = new Date(now)
  end.setUTCFullYear(end.getUTCFullYear() + validYears)
  const algorithm = sequence(Buffer.from(oids.ecdsaWithSha256, 'hex'))
  const positive = Buffer.concat([Buffer.of(0x01), serial])
  const content = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, positive),
    algorithm,
    name,
    sequence(time(now), time(end)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', content, privateKey)
  const certificate = sequence(content, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])))
  return { privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }), certificate }
}

export function privateKeyOf(pkcs8: Buffer): KeyObject {
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
}

export function publicKeyOf(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
}

export function pemOf(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  const label = 'CERTIFICATE'
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

export function fingerprintOf(certificate: Buffer): string {
  return createHash('sha256').update(certificate).digest('hex')
}

/** One value of ASN.1 in its distinguished encoding. */
function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content
  const size = length < 0x80 ? Buffer.of(length) : length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff)
  return Buffer.concat([Buffer.of(tag), size, content])
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function attribute(oid: string, text: string): Buffer {
  return der(0x31, sequence(Buffer.from(oid, 'hex'), der(0x0c, Buffer.from(text))))
}

/** UTCTime, which RFC 5280 asks for until 2049. */
function time(at: Date): Buffer {
  return der(0x17, Buffer.from(`${at.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`))
}
