import { createRequire } from 'node:module'
import { inflateRawSync } from 'node:zlib'
import type saml20 from '@boxyhq/saml20'
import { createCertificate } from '#testing/net/certificate.ts'

// Loaders disagree on the default export of this CommonJS package.
const loaded: { readonly default: typeof saml20.default } = createRequire(import.meta.url)('@boxyhq/saml20')
const saml = loaded.default

export interface SamlPerson {
  readonly email: string
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>
}

/** A SAML provider: its metadata, and responses to the requests of this installation. */
export function createSamlProvider(entityId = 'https://idp.example.com/saml') {
  const { key, cert } = createCertificate('idp.example.com', new Date('2100-01-01'), 'rsa')
  const bare = saml.stripCertHeaderAndFooter(cert)
  const metadata = saml.createIdPMetadataXML({
    ssoUrl: 'https://idp.example.com/sso',
    entityId,
    x509cert: bare,
    wantAuthnRequestsSigned: false,
  })
  return {
    entityId,
    metadata,
    key,
    cert,
    /** Signs the element that an XPath names. */
    sign: (xml: string, xpath: string) => saml.sign(xml, key, cert, xpath),
    /** The response to an authorization URL as XML, with Response and Assertion signed. */
    respond(authorizationUrl: string, { email, attributes = {} }: SamlPerson): Promise<string> {
      const { requestId, acsUrl, issuer } = readRequest(authorizationUrl)
      return saml.createSAMLResponse({
        audience: issuer,
        issuer: entityId,
        acsUrl,
        claims: { email, raw: { email, ...attributes } },
        requestId,
        privateKey: key,
        publicKey: cert,
      })
    },
  }
}

/** The form that a browser posts for a response to an authorization URL. */
export function samlForm(authorizationUrl: string, xml: string) {
  const RelayState = new URL(authorizationUrl).searchParams.get('RelayState') ?? ''
  return { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState }
}

/** Reads the request of an authorization URL (HTTP-Redirect binding). */
export function readRequest(authorizationUrl: string) {
  const request = new URL(authorizationUrl).searchParams.get('SAMLRequest') ?? ''
  const xml = inflateRawSync(Buffer.from(request, 'base64')).toString('utf8')
  const attribute = (name: string) => new RegExp(`${name}="(?<value>[^"]*)"`).exec(xml)?.groups?.['value'] ?? ''
  return {
    requestId: / ID="(?<id>[^"]*)"/.exec(xml)?.groups?.['id'] ?? '',
    acsUrl: attribute('AssertionConsumerServiceURL'),
    issuer: /Issuer[^>]*>(?<value>[^<]*)</.exec(xml)?.groups?.['value'] ?? '',
  }
}
