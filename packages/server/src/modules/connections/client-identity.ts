import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { ClientIdentity } from '#platform/net/pools.ts'

interface Problem {
  readonly pointer: '/secrets/identity' | '/settings/caCertificate'
  readonly problem: string
}

const blocks = /-----BEGIN ([A-Z0-9 ]{1,40})-----([A-Za-z0-9+/=\s]*)-----END \1-----/g

/** The certificates and the private key of one text in PEM. Line ends may be lost, as in a field of one line. */
export function readIdentity(identity: string, caCertificate: string | undefined): ClientIdentity | Problem {
  const found = blocksOf(identity)
  const certificates = found.filter(({ label }) => label === 'CERTIFICATE').map(({ pem }) => pem)
  const [key, ...others] = found.filter(({ label }) => label.endsWith('PRIVATE KEY'))
  const wrong = (problem: string): Problem => ({ pointer: '/secrets/identity', problem })
  if (certificates[0] === undefined) return wrong('Must have a certificate in PEM (BEGIN CERTIFICATE); that of the client comes first.')
  if (key === undefined || others.length > 0) return wrong('Must have one private key in PEM (BEGIN PRIVATE KEY).')
  if (key.label.startsWith('ENCRYPTED')) return wrong('The private key must not have a passphrase: it is encrypted when it is stored.')
  try {
    if (!new X509Certificate(certificates[0]).checkPrivateKey(createPrivateKey(key.pem)))
      return wrong('The private key does not belong to the first certificate.')
  } catch {
    return wrong('The certificate or the private key cannot be read.')
  }
  const ca = caCertificate === undefined ? [] : blocksOf(caCertificate).filter(({ label }) => label === 'CERTIFICATE')
  if (caCertificate !== undefined && !(ca.length > 0 && ca.every(({ pem }) => isCertificate(pem))))
    return { pointer: '/settings/caCertificate', problem: 'Must be certificates in PEM (BEGIN CERTIFICATE).' }
  return { cert: certificates.join(''), key: key.pem, ca: ca.length === 0 ? undefined : ca.map(({ pem }) => pem).join('') }
}

function blocksOf(text: string): readonly { readonly label: string; readonly pem: string }[] {
  return Array.from(text.matchAll(blocks), ([, label = '', body = '']) => {
    const lines = body.replaceAll(/\s+/g, '').replaceAll(/.{64}(?=.)/g, '$&\n')
    return { label, pem: `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n` }
  })
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}
