/** An element of a UBL document. Its name has the usual prefix of its namespace, whatever prefix the document used. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Of an element without children. */
  readonly text: string
}

/** Namespaces of UBL 2.1 by their usual prefix. */
export const namespaces: Readonly<Record<string, string>> = {
  cac: 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  cbc: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
  cn: 'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2',
  ext: 'urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2',
  ubl: 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2',
}

type Content = string | readonly (XmlElement | undefined)[]

/** Makes an element; `undefined` children are left out. */
export function element(name: string, content: Content, attributes: Readonly<Record<string, string>> = {}): XmlElement {
  if (typeof content === 'string') return { name, attributes, children: [], text: content }
  return { name, attributes, children: content.filter((child) => child !== undefined), text: '' }
}

/** Makes an element with a text; `undefined` without one. */
export function optional(
  name: string,
  text: string | undefined,
  attributes: Readonly<Record<string, string>> = {},
): XmlElement | undefined {
  return text === undefined ? undefined : element(name, text, attributes)
}

/** Makes an aggregate; `undefined` if nothing is in it. */
export function group(name: string, children: readonly (XmlElement | undefined)[]): XmlElement | undefined {
  const made = element(name, children)
  return made.children.length === 0 ? undefined : made
}

/** Descendants along a path of names such as `cac:Party/cbc:EndpointID`. */
export function at(from: XmlElement, path: string): readonly XmlElement[] {
  let found: readonly XmlElement[] = [from]
  for (const name of path.split('/')) found = found.flatMap(({ children }) => children.filter((child) => child.name === name))
  return found
}

/** A document with an index, made by one walk. */
export interface UblDocument {
  readonly root: XmlElement
  /** The number of elements. */
  readonly size: number
  /** Elements of a name anywhere, in the order of the document. */
  named(name: string): readonly XmlElement[]
  parentOf(element: XmlElement): XmlElement | undefined
  /** The place of an element as XPath. */
  pathOf(element: XmlElement): string
}

export function documentOf(root: XmlElement): UblDocument {
  const index = new Map<string, XmlElement[]>()
  const parents = new Map<XmlElement, XmlElement>()
  const visit = (current: XmlElement): void => {
    const same = index.get(current.name)
    if (same === undefined) index.set(current.name, [current])
    else same.push(current)
    for (const child of current.children) {
      parents.set(child, current)
      visit(child)
    }
  }
  visit(root)
  const pathOf = (current: XmlElement): string => {
    const parent = parents.get(current)
    if (parent === undefined) return `/${current.name}`
    const alike = parent.children.filter(({ name }) => name === current.name)
    return `${pathOf(parent)}/${current.name}${alike.length === 1 ? '' : `[${alike.indexOf(current) + 1}]`}`
  }
  return { root, size: parents.size + 1, named: (name) => index.get(name) ?? [], parentOf: (current) => parents.get(current), pathOf }
}
