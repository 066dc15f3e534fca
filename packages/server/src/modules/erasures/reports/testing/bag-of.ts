import type { Bag } from '#platform/files/write-bag.ts'

/** A bag in memory. */
export function bagOf(): { readonly bag: Bag; readonly files: ReadonlyMap<string, Buffer> } {
  const files = new Map<string, Buffer>()
  const bag: Bag = {
    add: (name, content) => Promise.resolve(void files.set(name, Buffer.from(content))),
    addStream: async (name, content) => void files.set(name, Buffer.concat(await Array.fromAsync(content))),
  }
  return { bag, files }
}
