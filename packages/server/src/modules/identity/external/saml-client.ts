import { createHash, X509Certificate } from 'node:crypto'
import type { SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml'
import type { SamlSignInProvider } from '#modules/identity/providers/model.ts'
import { addressOf, type Claims } from './model.ts'
import {
  assertResponseShape,
  attributeOf,
  decodeResponse,
  named,
  namedChildren,
  onlyAssertion,
  parseStrictly,
  samlNames,
  SamlRefusal,
  textOf,
  type XmlElement,
} from './saml-document.ts'

/** The names of this installation at providers of SAML. */
export interface ServiceProvider {
  readonly entityId: string
  readonly acsUrl: string
}

/** An accepted assertion. */
export interface AcceptedAssertion {
  readonly claims: Claims
  /** SHA-256 of its id, for the table of accepted assertions. */
  readonly hash: Buffer
  readonly expiresAt: Date
}

const clockSkewMs = 60_000
const ageMaxMs = 10 * 60 * 1000

/** The address to which a browser is sent, with the request and the relay state (HTTP-Redirect binding). */
export async function samlSignInUrl(
  provider: SamlSignInProvider,
  self: ServiceProvider,
  { requestId, relayState }: { readonly requestId: string; readonly relayState: string },
): Promise<string> {
  const { SAML, ValidateInResponseTo: check } = await import('@node-saml/node-saml')
  return new SAML(optionsOf(provider, self, requestId, check.always)).getAuthorizeUrlAsync(relayState, undefined, {})
}

/** Checks a response, and returns what it asserts; throws a SamlRefusal or an error of node-saml. */
export async function checkSamlResponse(
  provider: SamlSignInProvider,
  self: ServiceProvider,
  { response, requestId, now }: { readonly response: string; readonly requestId: string; readonly now: Date },
): Promise<AcceptedAssertion> {
  const text = decodeResponse(response)
  assertResponseShape(parseStrictly(text))
  // Signatures are checked by walking the whole document several times, and only what the signature of the assertion signs is read.
  const reduced = onlyAssertion(text)
  assertResponseShape(parseStrictly(reduced))
  const { SAML, ValidateInResponseTo: check } = await import('@node-saml/node-saml')
  const { profile } = await new SAML(optionsOf(provider, self, requestId, check.always)).validatePostResponseAsync({
    SAMLResponse: Buffer.from(reduced).toString('base64'),
  })
  const signed = profile?.getAssertionXml?.()
  if (profile === null || signed === undefined) throw new SamlRefusal('the response contains no assertion')
  // Only the signed bytes are read from here on.
  const assertion = parseStrictly(signed)
  const endsAt = assertAddressee(assertion, provider, self, { requestId, now })
  return {
    claims: claimsOf(assertion, provider),
    hash: createHash('sha256').update(attributeOf(assertion, 'ID')).digest(),
    expiresAt: new Date(endsAt.getTime() + clockSkewMs + 1000),
  }
}

function optionsOf(provider: SamlSignInProvider, self: ServiceProvider, requestId: string, inResponseTo: ValidateInResponseTo): SamlConfig {
  return {
    entryPoint: provider.signInUrl,
    idpCert: provider.certificates.map((certificate) => new X509Certificate(Buffer.from(certificate, 'base64')).toString()),
    idpIssuer: provider.issuer,
    issuer: self.entityId,
    callbackUrl: self.acsUrl,
    audience: self.entityId,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: clockSkewMs,
    maxAssertionAgeMs: ageMaxMs,
    validateInResponseTo: inResponseTo,
    generateUniqueId: () => requestId,
    cacheProvider: onlyRequest(requestId),
  }
}

/** Knows the one request of this sign-in. It is spent in the table of attempts before, so that removing it here has no effect. */
function onlyRequest(requestId: string): NonNullable<SamlConfig['cacheProvider']> {
  return {
    saveAsync: async (_key, value) => ({ value, createdAt: Date.now() }),
    getAsync: async (key) => (key === requestId ? new Date().toISOString() : null),
    removeAsync: async (key) => key,
  }
}

/** Checks what node-saml leaves open, in the signed assertion: issuer, recipient, request and times. Returns when the assertion ends. */
function assertAddressee(
  assertion: XmlElement,
  provider: SamlSignInProvider,
  self: ServiceProvider,
  { requestId, now }: { readonly requestId: string; readonly now: Date },
): Date {
  const only = (parent: XmlElement, name: string): XmlElement => {
    const [child, ...more] = namedChildren(parent, samlNames.assertion, name)
    if (child === undefined || more.length > 0) throw new SamlRefusal(`the assertion needs exactly one ${name}`)
    return child
  }
  if (textOf(only(assertion, 'Issuer')) !== provider.issuer) throw new SamlRefusal('the assertion has another issuer')
  const confirmation = only(only(assertion, 'Subject'), 'SubjectConfirmation')
  const data = only(confirmation, 'SubjectConfirmationData')
  if (attributeOf(confirmation, 'Method') !== 'urn:oasis:names:tc:SAML:2.0:cm:bearer')
    throw new SamlRefusal('the assertion is not a bearer assertion')
  if (attributeOf(data, 'Recipient') !== self.acsUrl) throw new SamlRefusal(`the assertion is for another recipient than ${self.acsUrl}`)
  if (attributeOf(data, 'InResponseTo') !== requestId) throw new SamlRefusal('the assertion responds to another request')
  const endsAt = new Date(attributeOf(data, 'NotOnOrAfter'))
  if (!(endsAt.getTime() + clockSkewMs > now.getTime())) throw new SamlRefusal('the assertion has expired')
  const audiences = named(only(assertion, 'Conditions'), 'Audience').map(textOf)
  if (audiences.length === 0 || !audiences.includes(self.entityId))
    throw new SamlRefusal(`the assertion is for another audience than ${self.entityId}`)
  return endsAt
}

const emailNames = [
  'email',
  'mail',
  'emailaddress',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
]
const displayNames = [
  'displayname',
  'name',
  'cn',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
  'urn:oid:2.16.840.1.113730.3.1.241',
]
const nameIdFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

function claimsOf(assertion: XmlElement, provider: SamlSignInProvider): Claims {
  const [nameId] = named(assertion, 'NameID')
  const subject = textOf(nameId)
  const format = attributeOf(nameId, 'Format')
  if (subject === '' || subject.length > 1024) throw new SamlRefusal('the assertion has no NameID')
  if (format.endsWith(':transient'))
    throw new SamlRefusal('the NameID is transient: let the provider send a persistent one or the e-mail address')
  const valuesOf = (names: readonly string[]) =>
    named(assertion, 'Attribute')
      .filter((attribute) => names.includes(attributeOf(attribute, 'Name').toLowerCase()))
      .flatMap((attribute) => named(attribute, 'AttributeValue').map(textOf))
      .filter((value) => value !== '')
  const { emailAttribute, roleClaim } = provider
  const [email] = valuesOf(emailAttribute === undefined ? emailNames : [emailAttribute.toLowerCase()])
  const [name] = valuesOf(displayNames)
  return {
    issuer: provider.issuer,
    subject,
    email: addressOf(email ?? (format === nameIdFormat ? subject : undefined)),
    // The provider of an account is trusted for the domains that the account has verified.
    emailVerified: undefined,
    name: name?.slice(0, 200),
    groups: roleClaim === undefined ? [] : valuesOf([roleClaim.toLowerCase()]).slice(0, 1000),
  }
}

/** The metadata document of this installation. */
export async function samlMetadata(self: ServiceProvider): Promise<string> {
  const { generateServiceProviderMetadata } = await import('@node-saml/node-saml')
  return generateServiceProviderMetadata({
    issuer: self.entityId,
    callbackUrl: self.acsUrl,
    wantAssertionsSigned: true,
    identifierFormat: null,
  })
}
