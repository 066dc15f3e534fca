import { createRequire } from 'node:module'

/** The part of an element that this module reads. */
export interface XmlElement {
  readonly nodeType: number
  readonly namespaceURI: string | null
  readonly localName: string | null
  readonly textContent: string | null
  readonly parentNode: XmlElement | null
  readonly childNodes: { readonly length: number; readonly [index: number]: XmlElement }
  getAttribute?(name: string): string | null
}

interface XmlLibrary {
  readonly DOMParser: new (options: {
    readonly onError: (level: string, message: string) => void
  }) => {
    parseFromString(text: string, type: string): { readonly documentElement: XmlElement | null }
  }
}

/** Loaded when the first document arrives. Its types need those of browsers, which the server does not have. */
let library: XmlLibrary | undefined

/** Why a document of SAML was refused. */
export class SamlRefusal extends Error {
  override readonly name = 'SamlRefusal'
}

export const samlNames = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const

const bytesMax = 192 * 1024
const elementsMax = 5_000
const depthMax = 64

/** Decodes the form field of a response; throws a SamlRefusal. */
export function decodeResponse(base64: string): string {
  const compact = base64.replaceAll(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw new SamlRefusal('the response is not base64')
  if (compact.length > (bytesMax * 4) / 3) throw new SamlRefusal('the response is too large')
  const bytes = Buffer.from(compact, 'base64')
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes)) throw new SamlRefusal('the response is not UTF-8')
  return text
}

/**
 * Parses a document without the parts of XML that make two readers see different things: no DOCTYPE (and so no entities), no comment, no
 * processing instruction, no CDATA, and no ID that occurs twice.
 */
export function parseStrictly(text: string): XmlElement {
  const body = text.replace(/^\uFEFF?\s*<\?xml\s[^>]{0,200}\?>/, '')
  if (body.includes('<!') || body.includes('<?'))
    throw new SamlRefusal('the document contains a DOCTYPE, comment, CDATA section or processing instruction')
  const root = parse(body)
  const all = elementsOf(root)
  const ids = all.flatMap((element) => ['ID', 'Id', 'id', 'xml:id'].map((name) => attributeOf(element, name)).filter((id) => id !== ''))
  if (new Set(ids).size !== ids.length) throw new SamlRefusal('an ID occurs twice')
  return root
}

function parse(text: string): XmlElement {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- See `library`.
    library ??= createRequire(import.meta.url)('@xmldom/xmldom') as XmlLibrary
    const root = new library.DOMParser({ onError: refuse }).parseFromString(text, 'text/xml').documentElement
    if (root !== null) return root
  } catch (error) {
    if (error instanceof SamlRefusal) throw error
  }
  throw new SamlRefusal('the document is not XML')
}

/** Every irregularity is refused, also those that a parser could repair. */
function refuse(level: string, message: string): never {
  throw new SamlRefusal(`the document is not XML (${level}: ${message.slice(0, 100)})`)
}

/** An element with everything below it, within bounds of number and depth. */
function elementsOf(root: XmlElement): readonly XmlElement[] {
  const found: XmlElement[] = []
  const pending: { readonly element: XmlElement; readonly depth: number }[] = [{ element: root, depth: 1 }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    found.push(next.element)
    if (found.length > elementsMax || next.depth > depthMax) throw new SamlRefusal('the document is too large')
    for (const element of childrenOf(next.element)) pending.push({ element, depth: next.depth + 1 })
  }
  return found
}

const elementNode = 1

/** The value of an attribute; empty without it. */
export function attributeOf(element: XmlElement | undefined, name: string): string {
  return element?.getAttribute?.(name) ?? ''
}

export function childrenOf(parent: XmlElement): readonly XmlElement[] {
  return Array.from({ length: parent.childNodes.length }, (_, index) => parent.childNodes[index]).filter(
    (node): node is XmlElement => node?.nodeType === elementNode,
  )
}

/** The children with a name. */
export function namedChildren(parent: XmlElement, namespace: string, name: string): readonly XmlElement[] {
  return childrenOf(parent).filter((child) => child.namespaceURI === namespace && child.localName === name)
}

/** Everything below an element with a local name, in any namespace. */
export function named(root: XmlElement, name: string): readonly XmlElement[] {
  return elementsOf(root).filter((element) => element.localName === name)
}

export function textOf(element: XmlElement | undefined): string {
  return element?.textContent?.trim() ?? ''
}

const tag = /<\/?[^?\s/>"'<](?:[^>"'<]|"[^"<]*"|'[^'<]*')*>/g

/**
 * A response without everything beside its assertion: the start tag of the root, which declares namespaces, the child that contains the assertion,
 * and the end tag. Only for a document whose shape was checked; the result needs the same check, since it is another document.
 */
export function onlyAssertion(text: string): string {
  let depth = 0
  let [childAt, childName, root, kept] = [0, '', '', '']
  for (const { 0: found, index } of text.matchAll(tag)) {
    const isEnd = found.startsWith('</')
    if (isEnd) depth -= 1
    else if (depth === 0) root = found
    else if (depth === 1) [childAt, childName] = [index, nameIn(found)]
    const isChildEnd = depth === 1 && (isEnd || found.endsWith('/>'))
    if (isChildEnd && childName === 'Assertion') kept += text.slice(childAt, index + found.length)
    if (isEnd && depth === 0) return `${root}${kept}${found}`
    if (!isEnd && !found.endsWith('/>')) depth += 1
  }
  throw new SamlRefusal('the document is not XML')
}

/** The name of a start tag, without its prefix. */
function nameIn(startTag: string): string {
  return /^<(?:[^\s/>:]+:)?(?<name>[^\s/>:]+)/.exec(startTag)?.groups?.['name'] ?? ''
}

const digests = new Set(['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'])
const signatures = new Set(['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512'])
const transforms = new Set(['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'])

/**
 * Checks the shape of a response before any signature is verified: one Response with one Assertion in it, and each signature signs the element in
 * which it is. That leaves a wrapped or moved signature no place.
 */
export function assertResponseShape(root: XmlElement): void {
  if (root.namespaceURI !== samlNames.protocol || root.localName !== 'Response') throw new SamlRefusal('the document is not a Response')
  if (named(root, 'EncryptedAssertion').length > 0)
    throw new SamlRefusal('the assertion is encrypted, which is not supported: switch the encryption off at the provider')
  const assertions = namedChildren(root, samlNames.assertion, 'Assertion')
  const [assertion] = assertions
  if (assertion === undefined) throw new SamlRefusal('the response contains no Assertion')
  if (assertions.length !== 1 || named(root, 'Assertion').length !== 1 || named(root, 'Response').length !== 1)
    throw new SamlRefusal('the response contains more than one Response or Assertion')
  const signed = named(root, 'Signature')
  for (const signature of signed) assertSignature(signature)
  if (namedChildren(assertion, samlNames.signature, 'Signature').length !== 1)
    throw new SamlRefusal('the assertion is not signed: let the provider sign assertions')
  if (signed.some(({ parentNode }) => parentNode !== root && parentNode !== assertion))
    throw new SamlRefusal('a signature is not in the element that it signs')
}

function assertSignature(signature: XmlElement): void {
  const id = attributeOf(signature.parentNode ?? undefined, 'ID')
  const references = named(signature, 'Reference')
  if (references.length !== 1 || attributeOf(references[0], 'URI') !== `#${id}` || id === '')
    throw new SamlRefusal('a signature does not sign the element in which it is')
  if (named(signature, 'Object').length > 0) throw new SamlRefusal('a signature contains an object')
  const algorithms = (name: string) => named(signature, name).map((element) => attributeOf(element, 'Algorithm'))
  const isStrong =
    algorithms('SignatureMethod').every((algorithm) => signatures.has(algorithm)) &&
    algorithms('DigestMethod').every((algorithm) => digests.has(algorithm)) &&
    algorithms('Transform').every((algorithm) => transforms.has(algorithm))
  if (!isStrong) throw new SamlRefusal('a signature uses an algorithm that is not permitted: use RSA with SHA-256')
}
