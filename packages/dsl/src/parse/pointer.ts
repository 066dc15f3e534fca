/** A path in a document as a linked list from the value up to the root, so that descending allocates one small object. */
export interface Path {
  readonly parent: Path | undefined
  readonly key: string | number
}

/** Appends a key to a JSON Pointer, escaped as RFC 6901 says. */
export function childPointer(pointer: string, key: string | number): string {
  return `${pointer}/${typeof key === 'number' ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

export function pointerOf(path: Path | undefined): string {
  const keys: (string | number)[] = []
  for (let step = path; step !== undefined; step = step.parent) keys.push(step.key)
  return keys.reduceRight<string>((pointer, key) => childPointer(pointer, key), '')
}

/** The unescaped keys of a JSON Pointer; the empty pointer has none. */
export function pointerKeys(pointer: string): string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}
