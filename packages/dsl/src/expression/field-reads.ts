/** A read of a field of a variable by a fixed name; the span is that of the name, in UTF-16 units. */
export interface FieldRead {
  readonly variable: string
  readonly field: string
  readonly start: number
  readonly end: number
}

const access = /\$([A-Za-z_]\w*)\s*(?:\.\s*(?:([A-Za-z_]\w*)|"([^"\\]*)"|\[\s*"([^"\\]*)"\s*\])|\[\s*"([^"\\]*)"\s*\])/dy

/** Finds `$name.field`, `$name."field"` and `$name["field"]` in a jq source, outside strings and comments but inside interpolations. */
export function fieldReads(source: string): FieldRead[] {
  const reads: FieldRead[] = []
  // Each open interpolation counts its own parentheses; when they are closed, the string around it continues.
  const parentheses: number[] = []
  let inString = false
  for (let at = 0; at < source.length; at++) {
    const unit = source[at]
    if (inString) {
      if (unit === '\\' && source[at + 1] === '(') {
        parentheses.push(0)
        inString = false
      } else if (unit === '"') inString = false
      if (unit === '\\') at++
    } else if (unit === '"') inString = true
    else if (unit === '#') at = endOfLine(source, at)
    else if (unit === '$') at = readAccess(source, at, reads)
    else if (parentheses.length > 0 && (unit === '(' || unit === ')')) inString = closes(parentheses, unit)
  }
  return reads
}

/** Counts a parenthesis; true when it ends the innermost interpolation. */
function closes(parentheses: number[], unit: '(' | ')'): boolean {
  const depth = (parentheses.pop() ?? 0) + (unit === '(' ? 1 : -1)
  if (depth < 0) return true
  parentheses.push(depth)
  return false
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf('\n', from)
  return end === -1 ? source.length : end
}

/** The offset of the last unit that belongs to the access, or `from` when nothing is accessed. */
function readAccess(source: string, from: number, reads: FieldRead[]): number {
  access.lastIndex = from
  const match = access.exec(source)
  const group = match === null ? -1 : match.findIndex((field, index) => index > 1 && field !== undefined)
  const [variable, field, span] = [match?.[1], match?.[group], match?.indices?.[group]]
  if (match === null || variable === undefined || field === undefined || span === undefined) return from
  reads.push({ variable, field, start: span[0], end: span[1] })
  return from + match[0].length - 1
}
