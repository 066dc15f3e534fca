/** A key or an index as a part of a jq path. */
export function pathPart(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}

/** A root with the keys below it, as jq reads it. */
export function pathOf(root: string, keys: readonly (string | number)[]): string {
  const parts = keys.map(pathPart).join('')
  if (root !== '.') return `${root}${parts}`
  return parts === '' ? '.' : parts.startsWith('.') ? parts : `.${parts}`
}
