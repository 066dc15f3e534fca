import { namespaces, type XmlElement } from './element.ts'

const rootPrefixes = ['cac', 'cbc', 'ext'] as const

/** Writes a document in canonical form (C14N 1.0): its bytes are what is hashed. */
export function writeXml(root: XmlElement): string {
  const [prefix = '', name = ''] = root.name.split(':')
  const declared = rootPrefixes.map((key) => ` xmlns:${key}="${namespaces[key] ?? ''}"`).join('')
  return `<${name} xmlns="${namespaces[prefix] ?? ''}"${declared}>${root.children.map(write).join('')}</${name}>`
}

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

function write({ name, attributes, children, text }: XmlElement): string {
  const pairs = Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const head = pairs.map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`).join('')
  return `<${name}${head}>${children.length === 0 ? escapeText(text) : children.map(write).join('')}</${name}>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

function escapeText(text: string): string {
  return text.replaceAll(/[&<>\r]/g, (character) => entities[character] ?? character)
}

function escapeAttribute(text: string): string {
  return text.replaceAll(/[&<"\t\n\r]/g, (character) => entities[character] ?? character)
}
