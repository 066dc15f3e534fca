import { namespaces, type XmlElement } from './element.ts'

/** Why a text cannot be read as an invoice. */
export class XmlProblem extends Error {
  override readonly name = 'XmlProblem'
}

const depthMax = 64
export const elementsMax = 100_000
const prefixes = new Map(Object.entries(namespaces).map(([prefix, uri]) => [uri, prefix]))

/** The members of a DOM node that are read here. */
interface DomNode {
  readonly nodeType: number
  readonly nodeValue: string | null
  readonly namespaceURI?: string | null
  readonly localName?: string | null
  readonly childNodes: ArrayLike<DomNode>
  readonly attributes?: ArrayLike<{ readonly name: string; readonly value: string }>
}

const elementNode = 1
const textNodes: ReadonlySet<number> = new Set([3, 4])

/** Parses XML. Document types are refused before the parser sees them, so that no entity is ever expanded. */
export async function parseDom(text: string) {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new XmlProblem('Contains a document type, which is not accepted.')
  const { DOMParser } = await import('@xmldom/xmldom')
  const problems: string[] = []
  const onError = (level: string, message: string) => void (level === 'warning' ? undefined : problems.push(message))
  try {
    const document = new DOMParser({ onError }).parseFromString(text, 'application/xml')
    if (problems.length === 0 && document.documentElement !== null) return document
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error))
  }
  throw new XmlProblem(`Is not well-formed XML: ${(problems[0] ?? 'it has no element').split('\n')[0]}`)
}

/** Reads a UBL 2.1 invoice or credit note. @throws XmlProblem */
export async function readUbl(text: string): Promise<XmlElement> {
  const { documentElement } = await parseDom(text)
  if (documentElement === null) throw new XmlProblem('Has no element.')
  const root = elementOf(documentElement, { depth: 0, count: 0 })
  if (root.name === 'ubl:Invoice' || root.name === 'cn:CreditNote') return root
  throw new XmlProblem(`Is not a UBL 2.1 invoice or credit note: its root element is ${root.name}.`)
}

function elementOf(node: DomNode, walk: { depth: number; count: number }): XmlElement {
  if (++walk.count > elementsMax || walk.depth > depthMax) throw new XmlProblem('Has too many or too deeply nested elements.')
  const nodes = Array.from(node.childNodes)
  walk.depth++
  const children = nodes.filter(({ nodeType }) => nodeType === elementNode).map((child) => elementOf(child, walk))
  walk.depth--
  const prefix = prefixes.get(node.namespaceURI ?? '') ?? `{${node.namespaceURI ?? ''}}`
  const attributes = Array.from(node.attributes ?? []).filter(({ name }) => name !== 'xmlns' && !name.startsWith('xmlns:'))
  return {
    name: `${prefix}:${node.localName ?? ''}`,
    attributes: Object.fromEntries(attributes.map(({ name, value }) => [name, value])),
    children,
    text:
      children.length > 0 ? '' : nodes.flatMap(({ nodeType, nodeValue }) => (textNodes.has(nodeType) ? [nodeValue ?? ''] : [])).join(''),
  }
}
