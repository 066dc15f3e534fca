/** A text with a caret or a selection. */
export interface Typed {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** Puts a path into a text: into the expression there, as an interpolation of a text, or as the whole expression of an empty field. */
export function insertPath({ text, from, to }: Typed, path: string, bare: boolean): { readonly text: string; readonly caret: number } {
  if (text.trim() === '') return { text: `\${ ${path} }`, caret: path.length + 5 }
  const isExpression = text.trim().startsWith('${')
  if (bare || isExpression) {
    const [start, end] = isExpression ? [Math.max(from, text.indexOf('${') + 2), Math.max(to, text.indexOf('${') + 2)] : [from, to]
    const last = isExpression ? Math.max(text.lastIndexOf('}'), 0) : text.length
    const at = Math.min(start, last)
    return spliced(text, at, Math.max(at, Math.min(end, last)), path)
  }
  const head = quoted(text.slice(0, from))
  const tail = quoted(text.slice(to))
  const whole = `\${ "${head}\\(${path})${tail}" }`
  return { text: whole, caret: whole.length - tail.length - 3 }
}

function spliced(text: string, from: number, to: number, path: string) {
  const before = text.slice(0, from)
  const space = /[\w.\])]$/.test(before) ? ' ' : ''
  return { text: `${before}${space}${path}${text.slice(to)}`, caret: from + space.length + path.length }
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

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
