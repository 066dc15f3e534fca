import { createSign, generateKeyPairSync } from 'node:crypto'

export interface TestCertificate {
  readonly key: string
  readonly cert: string
}

/** Makes a self-signed certificate for a DNS name, as DER by hand: Node.js has nothing for it. Source: RFC 5280, section 4.1. */
export function createCertificate(name: string, notAfter: Date, kind: 'ec' | 'rsa' = 'ec'): TestCertificate {
  const { publicKey, privateKey } =
    kind === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('rsa', { modulusLength: 2048 })
  const algorithm =
    kind === 'ec'
      ? sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex'))) // ecdsa-with-SHA256
      : sequence(der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05, Buffer.alloc(0))) // sha256WithRSAEncryption
  const issuer = sequence(der(0x31, sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(name)))))
  const validity = sequence(time(new Date('2020-01-01T00:00:00Z')), time(notAfter))
  const isAuthority = sequence(oid('551d13'), der(0x04, sequence(der(0x01, Buffer.from([0xff])))))
  const names = sequence(oid('551d11'), der(0x04, sequence(der(0x82, Buffer.from(name)))))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    issuer,
    validity,
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(isAuthority, names)),
  )
  const signature = createSign('sha256').update(body).sign(privateKey)
  const certificate = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pem(certificate) }
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function time(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`))
}

function pem(certificate: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}
