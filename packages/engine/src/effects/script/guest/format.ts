/** The functions of this file run inside the sandbox: `guest-source.ts` takes their text. They use each other and the language, and nothing else. */

type Inspect = (value: unknown, depthMax?: number) => string

/** The arguments of `console.log` as one text. Source: Node.js `util.format`. */
export function format(inspect: Inspect, values: readonly unknown[]): string {
  const [first, ...rest] = values
  const parts: string[] = []
  let used = 0
  if (typeof first !== 'string') parts.push(...values.slice(0, 1).map((value) => inspect(value)))
  else if (rest.length === 0) parts.push(first)
  else {
    const filled = first.replace(/%[sdifjoOc%]/g, (directive) => {
      if (directive === '%%') return '%'
      if (used >= rest.length) return directive
      used += 1
      return fill(inspect, directive, rest[used - 1])
    })
    parts.push(filled)
  }
  parts.push(...rest.slice(used).map((value) => (typeof value === 'string' ? value : inspect(value))))
  return parts.join(' ')
}

export function fill(inspect: Inspect, directive: string, value: unknown): string {
  switch (directive) {
    case '%s':
      return asText(inspect, value)
    case '%d':
      return typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' ? 'NaN' : inspect(Number(value))
    case '%i':
      return typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' ? 'NaN' : inspect(Number.parseInt(String(value), 10))
    case '%f':
      return typeof value === 'symbol' ? 'NaN' : inspect(Number.parseFloat(String(value)))
    case '%j':
      return asJson(value)
    case '%o':
      return inspect(value, 4)
    case '%O':
      return inspect(value)
    default:
      return ''
  }
}

/** An object that has its own way to become text is asked; others are shown. */
export function asText(inspect: Inspect, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'function') return String(value)
  if (typeof value !== 'object' || value === null) return inspect(value)
  const write: unknown = Reflect.get(value, 'toString')
  const builtIn = [Object.prototype.toString, Array.prototype.toString, Error.prototype.toString, Date.prototype.toString]
  return typeof write === 'function' && !builtIn.some((one) => one === write) ? String(Reflect.apply(write, value, [])) : inspect(value, 0)
}

export function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined'
  } catch (error) {
    if (error instanceof TypeError && /circular/i.test(error.message)) return '[Circular]'
    throw error
  }
}
