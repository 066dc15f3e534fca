/** Classes of Unicode are long tables. */
const PROPERTY_SIZE = 20

interface Group {
  size: number
  /** The size of what a repetition would repeat. */
  last: number
}

/** The approximate number of instructions of a pattern with its repetitions expanded. It is known before the pattern is compiled, which takes time in proportion. */
export function patternSize(source: string): number {
  const outer: Group[] = []
  let group: Group = { size: 0, last: 0 }
  const add = (size: number) => {
    group.size += size
    group.last = size
  }
  let index = 0
  while (index < source.length) {
    const letter = source[index]
    if (letter === '\\') {
      const [escape = '\\'] = escaped.exec(source.slice(index, index + ESCAPE_MAX)) ?? []
      add(/^\\[pPsS]/.test(escape) ? PROPERTY_SIZE : 1)
      index += Math.max(2, escape.length)
    } else if (letter === '[') {
      const end = classEnd(source, index)
      add(1 + ((end - index) >> 4))
      index = end
    } else if (letter === '{') {
      const times = repetition.exec(source.slice(index, index + 12))
      if (times === null) add(1)
      else multiply(group, Math.max(1, Number(times[1]), Number(times[2] ?? 0)))
      index += times?.[0].length ?? 1
    } else {
      if (letter === '(') {
        outer.push(group)
        group = { size: 2, last: 0 }
      } else if (letter === ')') {
        const { size } = group
        group = outer.pop() ?? { size: 0, last: 0 }
        add(size)
      } else add(1)
      index += 1
    }
  }
  return outer.reduce((size, { size: more }) => size + more, group.size)
}

const ESCAPE_MAX = 64
/** An escape with what belongs to it. */
const escaped = /^\\(?:[pPxu]\{[^}]*\}|[\s\S])/
/** RE2 takes no more than 1,000 times. */
const repetition = /^\{(\d{1,4})(?:,(\d{0,4}))?\}/

function multiply(group: Group, times: number): void {
  group.size += group.last * times
  group.last += group.last * times
}

/** Where a class of characters ends; a bracket that comes first belongs to it. */
function classEnd(source: string, start: number): number {
  let index = start + (source[start + 1] === '^' ? 2 : 1)
  if (source[index] === ']') index += 1
  while (index < source.length && source[index] !== ']') {
    if (source[index] === '\\') index += 2
    else if (source.startsWith('[:', index) && source.slice(index, index + 12).includes(':]')) index = source.indexOf(':]', index) + 2
    else index += 1
  }
  return index + 1
}
