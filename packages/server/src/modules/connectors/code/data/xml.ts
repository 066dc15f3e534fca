import { isObject, itemsOf, type Json, type JsonObject, textOf } from '@millrace/engine'
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser'
import { DataError } from './data-error.ts'

const depthMax = 100
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const common = { ignoreAttributes: false, attributeNamePrefix: '@', textNodeName: '#text' } as const
// Names without the colon at their beginning or end that a parser of namespaces would refuse.
const elementName = /^[\p{L}_][\p{L}\p{N}_.-]*(?::[\p{L}_][\p{L}\p{N}_.-]*)?$/u
// oxlint-disable-next-line no-control-regex -- What XML 1.0 has no way to write.
const unwritable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/

/** `xml.parse`: elements as members, attributes with `@`, texts as they stand. No entities but the five of XML. */
export function parseXml({ text: given, lists }: JsonObject): Json {
  const text = textOf(given) ?? ''
  if (/<!ENTITY/i.test(text)) throw new DataError('The document declares entities, which are refused.')
  const valid = XMLValidator.validate(text)
  if (valid !== true) throw new DataError(`Line ${valid.err.line}, column ${valid.err.col}: ${valid.err.msg}`)
  const always = new Set(itemsOf(lists).map((name) => textOf(name) ?? ''))
  const parser = new XMLParser({
    ...common,
    ignoreDeclaration: true,
    ignorePiTags: true,
    parseTagValue: false,
    parseAttributeValue: false,
    maxNestedTags: depthMax,
    isArray: (name) => always.has(name),
  })
  const document: unknown = parser.parse(text)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The parser makes objects, lists and texts.
  return { document: document as Json }
}

/** `xml.write`: one element in the form that `xml.parse` gives. */
export function writeXml({ document, indent = false }: JsonObject): Json {
  const names = document !== undefined && isObject(document) ? Object.keys(document) : []
  if (document === undefined || !isObject(document) || names.length !== 1 || Array.isArray(document[names[0] ?? '']))
    throw new DataError('/document needs one member: the element at the root.')
  check(document, '/document', 0)
  const body: string = new XMLBuilder({
    ...common,
    format: indent === true,
    suppressEmptyNode: true,
    suppressBooleanAttributes: false,
  }).build(document)
  return { text: declaration + body.trimEnd() }
}

/** A name that is no name of XML could begin further elements. */
function check(value: Json, pointer: string, depth: number): void {
  if (depth > 2 * depthMax) throw new DataError(`${pointer}: the document is deeper than ${depthMax} elements.`)
  if (typeof value === 'string' && unwritable.test(value)) throw new DataError(`${pointer} has a character that XML cannot have.`)
  if (Array.isArray(value)) return itemsOf(value).forEach((item, index) => check(item, `${pointer}/${index}`, depth + 1))
  if (!isObject(value)) return
  for (const [key, member] of Object.entries(value)) {
    const isAttribute = key.startsWith('@')
    if (key !== '#text' && !elementName.test(isAttribute ? key.slice(1) : key))
      throw new DataError(`${pointer}: ${JSON.stringify(key)} is not the name of an element or attribute.`)
    if ((isAttribute || key === '#text') && typeof member === 'object' && member !== null)
      throw new DataError(`${pointer}/${key} must be a text, a number or a boolean.`)
    check(member, `${pointer}/${key}`, depth + 1)
  }
}
