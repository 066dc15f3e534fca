import { type Node, parsed } from './parsed.ts'
import { replacePieces } from './replace-pieces.ts'

/** Which text an expression makes: a whole address, or what follows the host of one. */
export type AddressPlace = 'address' | 'path'

/** A value that an expression puts into the path or query of an address as it is; the span is that of the value. */
export interface UnencodedPart {
  readonly start: number
  readonly end: number
  /** The same value, percent-encoded. */
  readonly encoded: string
}

/** The values in the path or query of an address that data can steer: not what is encoded or computed, nor what is the whole address or its host. */
export function unencodedParts(source: string, place: AddressPlace): readonly UnencodedPart[] {
  const program = parsed(source)
  return program === undefined ? [] : alternatives(program).flatMap((node) => partsIn(source, piecesOf(node), place))
}

/** The same source with those values percent-encoded. */
export function withEncodedParts(source: string, place: AddressPlace): string {
  return replacePieces(
    source,
    unencodedParts(source, place).map(({ start, end, encoded }) => ({ start, end, insert: encoded })),
  )
}

/** The nodes of which one makes the text. */
function alternatives(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'if':
      return [node.yes, ...(node.no === undefined ? [] : [node.no])].flatMap(alternatives)
    case 'alternative':
      return [node.left, node.right].flatMap(alternatives)
    case 'bind':
    case 'define':
      return alternatives(node.body)
    case 'pipe':
      return alternatives(node.right)
    case 'try':
      return alternatives(node.body)
    default:
      return [node]
  }
}

/** A piece of a text: constant, or a value between quotes or beside `+`. */
type Piece = string | { readonly node: Node; readonly isQuoted: boolean }

function piecesOf(node: Node): readonly Piece[] {
  if (node.kind === 'literal') return [typeof node.value === 'string' ? node.value : { node, isQuoted: false }]
  if (node.kind === 'binary' && node.operator === '+') return [...piecesOf(node.left), ...piecesOf(node.right)]
  // A format encodes what is put in.
  if (node.kind === 'string' && node.format === undefined)
    return node.parts.map((part) => (typeof part === 'string' ? part : { node: part, isQuoted: true }))
  return [{ node, isQuoted: false }]
}

/** Stands for a value in the text before a piece. */
const value = '<>'
const behindHost = /^(?:[a-z][a-z\d+.-]*:\/\/|<>)[^/?#]*[/?#]/i

function partsIn(source: string, pieces: readonly Piece[], place: AddressPlace): readonly UnencodedPart[] {
  let before = ''
  return pieces.flatMap((piece) => {
    const isBehind = place === 'path' ? before !== '' : behindHost.test(before)
    before += typeof piece === 'string' ? piece : value
    if (typeof piece === 'string' || !isBehind || !isData(piece.node)) return []
    const { start, end } = piece.node
    const written = source.slice(start, end).trim()
    return [{ start, end, encoded: piece.isQuoted ? `${written} | @uri` : `(${written} | @uri)` }]
  })
}

/** Variables that data does not steer. */
const trusted: ReadonlySet<string> = new Set(['secrets', 'variables', 'runtime', 'authorization', 'index', 'error', '__loc__', 'ENV'])
/** Functions that leave a text as it is, but for parts of it. */
const passing = /^(?:tostring|trim|ltrim|rtrim|ltrimstr|rtrimstr|trimstr|ascii_downcase|ascii_upcase|toascii)$/

/** Whether a value is a part of the data. */
function isData(node: Node): boolean {
  switch (node.kind) {
    case 'identity':
      return true
    case 'variable':
      return !trusted.has(node.name.replace(/^\$/, ''))
    case 'index': {
      if (node.target.kind === 'variable' && /^\$?workflow$/.test(node.target.name)) return constantOf(node.key) === 'input'
      return isData(node.target)
    }
    case 'slice':
    case 'iterate':
      return isData(node.target)
    case 'alternative':
      return isData(node.left) || isData(node.right)
    case 'pipe':
      return isData(node.left) && passes(node.right)
    case 'try':
      return isData(node.body)
    default:
      return false
  }
}

/** Whether a filter gives its input, or a constant in place of it. */
function passes(node: Node): boolean {
  if (node.kind === 'if') return [node.yes, node.no].every((one) => constantOf(one) !== undefined || passes(one))
  return isData(node) || (node.kind === 'call' && passing.test(node.name))
}

function constantOf(node: Node): unknown {
  if (node.kind === 'literal') return node.value
  return node.kind === 'string' && node.parts.length === 1 ? node.parts[0] : undefined
}
