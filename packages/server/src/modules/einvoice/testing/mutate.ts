import type { XmlElement } from '#modules/einvoice/ubl/element.ts'

/** A number from 0 up to, but not with, `max`. */
export type Pick = (max: number) => number

export interface Mutation {
  readonly what: string
  readonly root: XmlElement
}

const texts = [
  '',
  ' ',
  'XX',
  'S',
  'E',
  'O',
  'AE',
  'K',
  'G',
  'Z',
  'L',
  'M',
  '0',
  '-1',
  '19',
  '0.00',
  '1.234',
  '1e2',
  '380',
  '381',
  '30',
  'EUR',
  'DE',
  'true',
]

/** Changes one place of a document: removes, repeats, moves or empties an element, or changes its text or an attribute. */
export function mutate(root: XmlElement, pick: Pick): Mutation {
  const paths = pathsOf(root).slice(1)
  const path = paths[pick(paths.length)] ?? []
  const target = elementAt(root, path)
  const change = changes[pick(changes.length)] ?? changes[0]
  const { what, made } = change(target, { pick, parent: elementAt(root, path.slice(0, -1)).name })
  return { what: `${what} ${target.name} at ${path.join('/')}`, root: replaced(root, path, made) }
}

type Path = readonly number[]
interface Change {
  readonly what: string
  readonly made: readonly XmlElement[]
}

const isLeaf = ({ children }: XmlElement) => children.length === 0
const withText = (element: XmlElement, text: string): XmlElement => ({ ...element, text })

const changes: readonly [Make, ...Make[]] = [
  () => ({ what: 'remove', made: [] }),
  (target, { parent }) =>
    // A tax scheme with two identifiers is an error that XPath permits a processor to find or to pass over.
    parent === 'cac:TaxScheme' ? { what: 'remove', made: [] } : { what: 'repeat', made: [target, target] },
  (target, { pick }) =>
    isLeaf(target) ? setText(target, texts[pick(texts.length)] ?? '') : { what: 'empty', made: [{ ...target, children: [] }] },
  (target, { pick }) => (isLeaf(target) ? setText(target, changedNumber(target.text, pick)) : { what: 'remove', made: [] }),
  (target, { pick }) => {
    const [name] = Object.keys(target.attributes)
    if (name === undefined) return { what: 'remove', made: [] }
    const { [name]: _, ...rest } = target.attributes
    return pick(2) === 0
      ? { what: `remove @${name} of`, made: [{ ...target, attributes: rest }] }
      : { what: `change @${name} of`, made: [{ ...target, attributes: { ...rest, [name]: texts[pick(texts.length)] ?? '' } }] }
  },
]
type Make = (target: XmlElement, at: { readonly pick: Pick; readonly parent: string }) => Change

function setText(target: XmlElement, text: string): Change {
  return { what: `set "${text}" in`, made: [withText(target, text)] }
}

/** A number near another one, or another text. */
function changedNumber(text: string, pick: Pick): string {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return `${text}${pick(2) === 0 ? 'x' : ' '}`
  const variants = [
    `-${text}`.replace('--', ''),
    `${text}1`,
    (Number(text) + 0.01).toFixed(2),
    (Number(text) + 1).toFixed(2),
    `${text}.0`,
    '0',
  ]
  return variants[pick(variants.length)] ?? text
}

function pathsOf(element: XmlElement, path: Path = []): readonly Path[] {
  return [path, ...element.children.flatMap((child, index) => pathsOf(child, [...path, index]))]
}

function elementAt(root: XmlElement, path: Path): XmlElement {
  let found = root
  for (const index of path) found = found.children[index] ?? found
  return found
}

function replaced(root: XmlElement, [index, ...rest]: Path, made: readonly XmlElement[]): XmlElement {
  const child = index === undefined ? undefined : root.children[index]
  if (index === undefined || child === undefined) return root
  return { ...root, children: root.children.toSpliced(index, 1, ...(rest.length === 0 ? made : [replaced(child, rest, made)])) }
}
