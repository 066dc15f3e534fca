/** SHA-256. A parameter, so that this file runs in Node, in a browser and in a test alike. */
export type Hash = (bytes: Uint8Array) => Uint8Array

const leafPrefix = Uint8Array.of(0)
const nodePrefix = Uint8Array.of(1)

/** The hash of a leaf. Source: RFC 6962, section 2.1. */
export function hashLeaf(hash: Hash, data: Uint8Array): Uint8Array {
  return hash(joined(leafPrefix, data))
}

function hashNode(hash: Hash, left: Uint8Array, right: Uint8Array): Uint8Array {
  return hash(joined(nodePrefix, left, right))
}

/**
 * A tree that grows: the roots of its largest complete subtrees, from left to right. A leaf is added in logarithmic time and space.
 * Two trees with the same peaks and size have the same leaves.
 */
export interface TreeState {
  readonly size: number
  readonly peaks: readonly Uint8Array[]
}

export const emptyTree: TreeState = { size: 0, peaks: [] }

/** Adds the hash of a leaf. */
export function appendLeaf(hash: Hash, { size, peaks }: TreeState, leaf: Uint8Array): TreeState {
  let rest = size
  let node = leaf
  let kept = peaks.length
  while (rest % 2 === 1) {
    kept -= 1
    node = hashNode(hash, at(peaks, kept), node)
    rest = Math.floor(rest / 2)
  }
  return { size: size + 1, peaks: [...peaks.slice(0, kept), node] }
}

/** The root of a growing tree; that of an empty tree is the hash of nothing. */
export function rootOf(hash: Hash, { peaks }: TreeState): Uint8Array {
  const last = peaks.at(-1)
  if (last === undefined) return hash(new Uint8Array(0))
  return peaks.slice(0, -1).reduceRight((right, left) => hashNode(hash, left, right), last)
}

/** The root over the hashes of leaves. */
export function rootOfLeaves(hash: Hash, leaves: readonly Uint8Array[]): Uint8Array {
  return rootOf(hash, stateOf(hash, leaves))
}

/** The state of a tree over the hashes of leaves. */
export function stateOf(hash: Hash, leaves: readonly Uint8Array[]): TreeState {
  let state = emptyTree
  for (const leaf of leaves) state = appendLeaf(hash, state, leaf)
  return state
}

/** The audit path of a leaf. Source: RFC 6962, section 2.1.1. */
export function proveInclusion(hash: Hash, leaves: readonly Uint8Array[], index: number): readonly Uint8Array[] {
  if (!Number.isInteger(index) || index < 0 || index >= leaves.length)
    throw new RangeError(`A tree of ${leaves.length} leaves has no leaf ${index}.`)
  const path: Uint8Array[] = []
  let from = 0
  let below = leaves.length
  while (below - from > 1) {
    const middle = from + splitOf(below - from)
    if (index < middle) {
      path.push(rootOfLeaves(hash, leaves.slice(middle, below)))
      below = middle
    } else {
      path.push(rootOfLeaves(hash, leaves.slice(from, middle)))
      from = middle
    }
  }
  return path.toReversed()
}

/** Whether a leaf is at `index` of the tree with this size and root. Source: RFC 9162, section 2.1.3.2. */
export function verifyInclusion(hash: Hash, { root, ...claim }: InclusionClaim): boolean {
  const reached = rootByPath(hash, claim)
  return reached !== undefined && isSame(reached, root)
}

/** The root to which the path of a leaf leads; undefined if the path does not fit the tree. */
export function rootByPath(hash: Hash, { leaf, index, size, path }: Omit<InclusionClaim, 'root'>): Uint8Array | undefined {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return undefined
  let position = index
  let last = size - 1
  let node = leaf
  for (const sibling of path) {
    if (last === 0) return undefined
    if (position % 2 === 1 || position === last) {
      node = hashNode(hash, sibling, node)
      while (position % 2 === 0 && position !== 0) {
        position = Math.floor(position / 2)
        last = Math.floor(last / 2)
      }
    } else {
      node = hashNode(hash, node, sibling)
    }
    position = Math.floor(position / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 ? node : undefined
}

export interface InclusionClaim {
  /** The hash of the leaf. */
  readonly leaf: Uint8Array
  readonly index: number
  readonly size: number
  readonly path: readonly Uint8Array[]
  readonly root: Uint8Array
}

/** The proof that the tree of the first `size` leaves is the beginning of the whole one. Source: RFC 6962, section 2.1.2. */
export function proveConsistency(hash: Hash, leaves: readonly Uint8Array[], size: number): readonly Uint8Array[] {
  if (!Number.isInteger(size) || size < 1 || size > leaves.length)
    throw new RangeError(`A tree of ${leaves.length} leaves has no beginning of ${size} leaves.`)
  return subproof(hash, leaves, size, true)
}

function subproof(hash: Hash, leaves: readonly Uint8Array[], size: number, isWhole: boolean): readonly Uint8Array[] {
  if (size === leaves.length) return isWhole ? [] : [rootOfLeaves(hash, leaves)]
  const split = splitOf(leaves.length)
  if (size <= split) return [...subproof(hash, leaves.slice(0, split), size, isWhole), rootOfLeaves(hash, leaves.slice(split))]
  return [...subproof(hash, leaves.slice(split), size - split, false), rootOfLeaves(hash, leaves.slice(0, split))]
}

export interface ConsistencyClaim {
  readonly oldSize: number
  readonly oldRoot: Uint8Array
  readonly size: number
  readonly root: Uint8Array
  readonly proof: readonly Uint8Array[]
}

/** Whether the older tree is the beginning of the newer one. Source: RFC 9162, section 2.1.4.2. */
export function verifyConsistency(hash: Hash, { oldSize, oldRoot, size, root, proof }: ConsistencyClaim): boolean {
  if (!Number.isSafeInteger(oldSize) || !Number.isSafeInteger(size) || oldSize < 1 || oldSize > size) return false
  if (oldSize === size) return proof.length === 0 && isSame(oldRoot, root)
  const path = isPowerOfTwo(oldSize) ? [oldRoot, ...proof] : [...proof]
  const [first, ...rest] = path
  if (first === undefined) return false
  let position = oldSize - 1
  let last = size - 1
  while (position % 2 === 1) {
    position = Math.floor(position / 2)
    last = Math.floor(last / 2)
  }
  let oldNode = first
  let node = first
  for (const sibling of rest) {
    if (last === 0) return false
    if (position % 2 === 1 || position === last) {
      oldNode = hashNode(hash, sibling, oldNode)
      node = hashNode(hash, sibling, node)
      while (position % 2 === 0 && position !== 0) {
        position = Math.floor(position / 2)
        last = Math.floor(last / 2)
      }
    } else {
      node = hashNode(hash, node, sibling)
    }
    position = Math.floor(position / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && isSame(oldNode, oldRoot) && isSame(node, root)
}

/** The largest power of two below `size`. */
function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

function isPowerOfTwo(size: number): boolean {
  return Number.isInteger(Math.log2(size))
}

function at(peaks: readonly Uint8Array[], index: number): Uint8Array {
  const peak = peaks[index]
  if (peak === undefined) throw new RangeError('The tree has fewer peaks than its size needs.')
  return peak
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

/** Whether two byte strings are equal. */
export function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}
