const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193

/** The FNV-1a hash of a text's UTF-16 units in 32 bits. A hash of the text before continues it; another factor gives a second, independent hash. */
export function fnv1a(text: string, before = OFFSET_BASIS, factor = PRIME): number {
  let hash = before
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), factor) >>> 0
  return hash
}
