/** A place at which two values differ, as a path of jq. */
export interface JsonDifference {
  readonly path: string
  /** Undefined where the value is missing. */
  readonly left: unknown
  readonly right: unknown
}

/** The places at which two values differ, up to a number of them, in the order of the left value. */
export function jsonDifferences(left: unknown, right: unknown, max = 50): readonly JsonDifference[] {
  const found: JsonDifference[] = []
  compare('', left, right)
  return found

  function compare(path: string, one: unknown, other: unknown): void {
    if (found.length >= max || Object.is(one, other)) return
    if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other)) {
      found.push({ path: path === '' ? '.' : path, left: one, right: other })
      return
    }
    const members = new Map(Object.entries(one))
    const others = new Map(Object.entries(other))
    for (const key of new Set([...members.keys(), ...others.keys()]))
      compare(`${path}${part(key, Array.isArray(one), path)}`, members.get(key), others.get(key))
  }
}

function part(key: string, isArray: boolean, path: string): string {
  const dot = path === '' ? '.' : ''
  if (isArray) return `${dot}[${key}]`
  return /^[a-z_]\w*$/i.test(key) ? `.${key}` : `${dot}[${JSON.stringify(key)}]`
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
