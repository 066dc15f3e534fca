import { X509Certificate } from 'node:crypto'
import {
  attributeOf,
  named,
  namedChildren,
  parseStrictly,
  samlNames,
  SamlRefusal,
  textOf,
  type XmlElement,
} from '#modules/identity/external/saml-document.ts'
import type { SamlSignInProvider } from './model.ts'

const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const certificatesMax = 10

/** Reads the metadata of a provider; throws a SamlRefusal that says what is missing. Comments are removed first: metadata is not signed for us. */
export function readSamlMetadata(text: string): Pick<SamlSignInProvider, 'issuer' | 'signInUrl' | 'certificates'> {
  const entity = entityOf(parseStrictly(withoutComments(text)))
  const issuer = attributeOf(entity, 'entityID')
  if (issuer === '' || issuer.length > 1024) throw new SamlRefusal('the entity has no entityID')
  const [role] = namedChildren(entity, samlNames.metadata, 'IDPSSODescriptor')
  if (role === undefined) throw new SamlRefusal('the entity is not an identity provider: it has no IDPSSODescriptor')
  const service = namedChildren(role, samlNames.metadata, 'SingleSignOnService').find(
    (element) => attributeOf(element, 'Binding') === redirectBinding,
  )
  const signInUrl = URL.parse(attributeOf(service, 'Location'))
  if (signInUrl === null) throw new SamlRefusal('there is no SingleSignOnService with the HTTP-Redirect binding')
  if (signInUrl.protocol !== 'https:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(signInUrl.hostname))
    throw new SamlRefusal('the SingleSignOnService is not reached by https')
  return { issuer, signInUrl: signInUrl.href, certificates: certificatesOf(role) }
}

/** In one pass: a search for the end of each comment would take quadratic time where comments do not end. */
function withoutComments(text: string): string {
  const [first = '', ...rest] = text.split('<!--')
  const kept = [first]
  let open = false
  for (const part of rest) {
    const end = part.indexOf('-->')
    open = end === -1
    if (!open) kept.push(part.slice(end + 3))
  }
  if (open) throw new SamlRefusal('a comment does not end')
  return kept.join('')
}

function entityOf(root: XmlElement): XmlElement {
  const entities = named(root, 'EntityDescriptor').filter(({ namespaceURI }) => namespaceURI === samlNames.metadata)
  const [entity] = entities
  if (entity === undefined) throw new SamlRefusal('the document contains no EntityDescriptor')
  if (entities.length > 1) throw new SamlRefusal('the document describes several entities: give that of the provider alone')
  return entity
}

function certificatesOf(role: XmlElement): readonly string[] {
  const keys = namedChildren(role, samlNames.metadata, 'KeyDescriptor').filter((key) => attributeOf(key, 'use') !== 'encryption')
  const certificates = [
    ...new Set(keys.flatMap((key) => named(key, 'X509Certificate').map((element) => textOf(element).replaceAll(/\s+/g, '')))),
  ]
  if (certificates.length === 0) throw new SamlRefusal('there is no signing certificate')
  if (certificates.length > certificatesMax) throw new SamlRefusal(`there are more than ${certificatesMax} signing certificates`)
  for (const certificate of certificates) assertUsable(certificate)
  return certificates
}

function assertUsable(base64: string): void {
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(Buffer.from(base64, 'base64'))
  } catch {
    throw new SamlRefusal('a signing certificate cannot be read')
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey
  if (type !== 'rsa' || (details?.modulusLength ?? 0) < 2048)
    throw new SamlRefusal('a signing certificate has no RSA key of at least 2048 bits')
}
