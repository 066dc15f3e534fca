/**
 * The functions of this file run inside the sandbox: `guest-source.ts` takes their text. They use each other and the language, and nothing else.
 *
 * Source of the form: Node.js `util.inspect` with its default options, as `console.log` uses it.
 */

export interface InspectState {
  readonly depthMax: number
  /** The objects that are being written, outermost first. */
  readonly seen: object[]
  /** Objects that contain themselves, and their numbers. */
  readonly circular: Map<object, number>
  indentation: number
  /** The depth of the object that was begun last: how deep the latest entry goes. */
  currentDepth: number
}

/** The brackets and prefix of an object, and its entries. */
export interface Form {
  readonly open: string
  readonly close: string
  /** Stands in front: a function, a date, the stack of an error. */
  readonly base: string
  /** A list is set in columns. */
  readonly isList: boolean
  /** It has nothing but its properties. */
  readonly isEmpty: boolean
  readonly entries: () => string[]
}

/** A value as Node prints it. */
export function inspect(value: unknown, depthMax = 2): string {
  return inspectValue({ depthMax, seen: [], circular: new Map(), indentation: 0, currentDepth: 0 }, value, 0)
}

export function inspectValue(state: InspectState, value: unknown, depth: number): string {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return inspectPrimitive(state, value)
  if (state.seen.includes(value)) {
    const number = state.circular.get(value) ?? state.circular.size + 1
    state.circular.set(value, number)
    return `[Circular *${number}]`
  }
  return inspectObject(state, value, depth)
}

export function inspectPrimitive(state: InspectState, value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'symbol') return value.toString()
  if (typeof value !== 'string') return Object.is(value, -0) ? '-0' : String(value)
  const shown = value.length > 10_000 ? value.slice(0, 10_000) : value
  const left = value.length - shown.length
  const more = left === 0 ? '' : `... ${left} more character${left > 1 ? 's' : ''}`
  if (shown.length <= 16 || shown.length <= 76 - state.indentation) return quote(shown) + more
  const lines = shown.split(/(?<=\n)/).map((line) => quote(line))
  return lines.join(` +\n${' '.repeat(state.indentation + 2)}`) + more
}

/** A text in the quotes that it does not contain. */
export function quote(text: string): string {
  const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes('`') && !text.includes('${') ? '`' : "'"
  const names: Record<string, string> = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '\\': '\\\\' }
  const written = text.replace(
    // oxlint-disable-next-line no-control-regex -- It finds control characters.
    /[\u0000-\u001f'\\\u007f-\u009f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    (character) => {
      if (character === "'") return mark === "'" ? "\\'" : "'"
      const code = character.charCodeAt(0)
      const digits = code.toString(16)
      return names[character] ?? (code < 256 ? `\\x${digits.toUpperCase().padStart(2, '0')}` : `\\u${digits}`)
    },
  )
  return mark + written + mark
}

export function inspectObject(state: InspectState, value: object, depth: number): string {
  const name = constructorName(value)
  const isOwnTag = Object.prototype.propertyIsEnumerable.call(value, Symbol.toStringTag)
  const tagged: unknown = isOwnTag ? '' : Reflect.get(value, Symbol.toStringTag)
  const tag = typeof tagged === 'string' && tagged !== '' && tagged !== name ? ` [${tagged}]` : ''
  const form = formOf(state, value, depth, name ?? '', (name ?? `[${kindOf(value)}: null prototype]`) + tag)
  const keys = enumerableKeys(value).filter((key) => !isShown(form, value, key))
  const hidden = value instanceof Error ? ['cause', 'errors'].filter((key) => Object.hasOwn(value, key) && !keys.includes(key)) : []
  if (form.base !== '' && keys.length === 0 && hidden.length === 0) return form.base
  const isEmpty = keys.length === 0 && hidden.length === 0 && form.isEmpty
  if (isEmpty) return `${form.open}${form.close}`
  if (depth > state.depthMax) return `[${Array.isArray(value) ? 'Array' : `${name ?? 'Object: null prototype'}${tag}`}]`
  state.seen.push(value)
  state.currentDepth = depth
  const entries = form.entries()
  entries.push(...keys.map((key) => inspectProperty(state, value, key, depth, false)))
  entries.push(...hidden.map((key) => inspectProperty(state, value, key, depth, true)))
  state.seen.pop()
  const number = state.circular.get(value)
  const mark = number === undefined ? '' : `<ref *${number}> `
  const base = form.base === '' ? '' : `${mark}${form.base} `
  const open = form.base === '' ? mark + form.open : form.open
  return arrange(state, form, { base, open }, entries, depth, value)
}

export function enumerableKeys(value: object): (string | symbol)[] {
  const symbols = Object.getOwnPropertySymbols(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))
  return [...Object.keys(value), ...symbols]
}

/** Whether a property stands in the form already: the items of a list, what the stack of an error says. */
export function isShown({ isList, base }: Form, value: object, key: string | symbol): boolean {
  if (typeof key === 'symbol') return false
  if (isList) return /^(?:0|[1-9]\d*)$/.test(key)
  return value instanceof Error && ['name', 'message', 'stack'].includes(key) && base.includes(String(Reflect.get(value, key)))
}

/** The class of an object; undefined when its prototypes end without one. */
export function constructorName(value: object): string | undefined {
  for (let object: object | null = value; object !== null; object = Object.getPrototypeOf(object)) {
    const made: unknown = Object.getOwnPropertyDescriptor(object, 'constructor')?.value
    if (typeof made === 'function' && made.name !== '' && isMadeBy(value, made)) return made.name
  }
  return undefined
}

export function isMadeBy(value: object, made: object): boolean {
  const prototype: unknown = Reflect.get(made, 'prototype')
  for (let object: object | null = value; object !== null; object = Object.getPrototypeOf(object)) if (object === prototype) return true
  return false
}

/** The built-in class of an object, whatever its `Symbol.toStringTag` says. */
export function kindOf(value: object): string {
  const named = Object.prototype.toString.call(value).slice(8, -1)
  return Array.isArray(value) ? 'Array' : typeof value === 'function' ? 'Function' : value instanceof Error ? 'Error' : named
}

/** The form of an object. `label` is its class as it stands before the brace. */
export function formOf(state: InspectState, value: object, depth: number, name: string, label: string): Form {
  const plain: Form = {
    open: name === 'Object' && label === name ? '{' : `${label} {`,
    close: '}',
    base: '',
    isList: false,
    isEmpty: true,
    entries: () => [],
  }
  const own = (kind: string) => (name === kind && label === kind ? '' : `${label.replace(/^\[\w+: null/, `[${kind}: null`)} `)
  const sized = (size: number) => label.replace(/(?= \[[^\]]*\]$)|$/, `(${size})`)
  const inner = (item: unknown) => indented(state, () => inspectValue(state, item, depth + 1))
  if (Array.isArray(value)) {
    const open = own('Array') === '' ? '[' : `${own('Array').trimEnd()}(${value.length}) [`
    return { ...plain, open, close: ']', isList: true, isEmpty: value.length === 0, entries: () => listEntries(state, value, depth) }
  }
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const items: unknown[] = Array.from(Object(value))
    const entries = () => shortened(items, (item) => inspectPrimitive(state, item))
    return {
      ...plain,
      open: `${sized(items.length)} [`,
      close: ']',
      isList: true,
      isEmpty: items.length === 0,
      entries,
    }
  }
  if (value instanceof Map) {
    const entries = () => shortened([...value], ([key, item]) => `${inner(key)} => ${inner(item)}`)
    return { ...plain, open: `${sized(value.size)} {`, isEmpty: value.size === 0, entries }
  }
  if (value instanceof Set) {
    return {
      ...plain,
      open: `${sized(value.size)} {`,
      isEmpty: value.size === 0,
      entries: () => shortened([...value], inner),
    }
  }
  if (typeof value === 'function') return { ...plain, open: '{', base: functionBase(value) }
  if (value instanceof Error) return { ...plain, open: '{', base: errorBase(state, value, name) }
  if (value instanceof Date)
    return { ...plain, open: '{', base: own('Date') + (Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()) }
  if (value instanceof RegExp) return { ...plain, open: '{', base: own('RegExp') + RegExp.prototype.toString.call(value) }
  const boxed = boxedPrimitive(value)
  if (boxed !== undefined) {
    const { kind, primitive } = boxed
    return {
      ...plain,
      open: '{',
      isList: kind === 'String',
      base: `[${kind}${name === kind ? '' : ` (${name})`}: ${inspectPrimitive(state, primitive)}]`,
    }
  }
  if (value instanceof WeakMap || value instanceof WeakSet) return { ...plain, isEmpty: false, entries: () => ['<items unknown>'] }
  return plain
}

export function boxedPrimitive(value: object): { readonly kind: string; readonly primitive: unknown } | undefined {
  const boxes = { Number, String, Boolean, Symbol, BigInt }
  for (const [kind, box] of Object.entries(boxes)) if (value instanceof box) return { kind, primitive: value.valueOf() }
  return undefined
}

export function functionBase(value: object): string {
  const text = Function.prototype.toString.call(value)
  const parent: unknown = Object.getPrototypeOf(value)
  const named: unknown = Reflect.get(value, 'name')
  const name = typeof named === 'string' ? named : ''
  if (text.startsWith('class') && text.endsWith('}')) {
    const above = typeof parent === 'function' && parent.name !== '' ? ` extends ${parent.name}` : ''
    return `[class ${name === '' ? '(anonymous)' : name}${above}]`
  }
  const kind = Object.prototype.toString.call(value).slice(8, -1)
  return `[${/^\w*Function$/.test(kind) ? kind : 'Function'}${name === '' ? ' (anonymous)' : `: ${name}`}]`
}

/** The stack of an error. QuickJS gives the places alone, so what it is and says is put before them. */
export function errorBase(state: InspectState, error: object, name: string): string {
  const stack: unknown = Reflect.get(error, 'stack')
  const says = Error.prototype.toString.call(error)
  const title = name !== '' && Reflect.get(error, 'name') === 'Error' ? says.replace(/^Error/, name) : says
  const places = typeof stack === 'string' ? stack.trimEnd() : ''
  const text = places === '' ? `[${title}]` : /^\s*at /.test(places) ? `${title}\n${places}` : places
  return state.indentation === 0 ? text : text.replaceAll('\n', `\n${' '.repeat(state.indentation)}`)
}

export function listEntries(state: InspectState, list: readonly unknown[], depth: number): string[] {
  const entries: string[] = []
  let index = 0
  while (index < list.length && entries.length < 100) {
    const from = index
    while (index < list.length && !Object.hasOwn(list, index)) index += 1
    if (index === from) {
      entries.push(inspectProperty(state, list, index, depth, false))
      index += 1
    } else entries.push(`<${index - from} empty item${index - from > 1 ? 's' : ''}>`)
  }
  return index < list.length ? [...entries, moreItems(list.length - index)] : entries
}

export function shortened<T>(items: readonly T[], write: (item: T) => string): string[] {
  const entries = items.slice(0, 100).map(write)
  return items.length > 100 ? [...entries, moreItems(items.length - 100)] : entries
}

export function moreItems(count: number): string {
  return `... ${count} more item${count > 1 ? 's' : ''}`
}

/** One property with its key; of a list's item the value alone. A getter is named and not called. */
export function inspectProperty(
  state: InspectState,
  value: object,
  key: string | symbol | number,
  depth: number,
  isHidden: boolean,
): string {
  const property = Object.getOwnPropertyDescriptor(value, key) ?? { value: Reflect.get(value, key) }
  const written =
    property.get === undefined
      ? property.set === undefined
        ? indented(state, () => inspectValue(state, property.value, depth + 1))
        : '[Setter]'
      : property.set === undefined
        ? '[Getter]'
        : '[Getter/Setter]'
  if (typeof key === 'number') return written
  const text = isHidden ? `[${String(key)}]` : String(key)
  const bare = typeof key === 'symbol' || isHidden || /^[a-zA-Z_][a-zA-Z_0-9]*$/.test(key)
  return `${bare ? (text === '__proto__' ? "['__proto__']" : text) : quote(text)}: ${written}`
}

export function indented(state: InspectState, write: () => string): string {
  state.indentation += 2
  const written = write()
  state.indentation -= 2
  return written
}

/** Entries on one line when they fit and do not go deep, else each on its own; long lists in columns. */
export function arrange(
  state: InspectState,
  form: Form,
  { base, open }: { readonly base: string; readonly open: string },
  entries: readonly string[],
  depth: number,
  value: object,
): string {
  const output = form.isList && entries.length > 6 ? inColumns(state, entries, value) : entries
  const trimmed = base.trimEnd()
  if (state.currentDepth - depth < 3 && output.length === entries.length) {
    const start = output.length + state.indentation + open.length + trimmed.length + 10
    const length = output.reduce((total, entry) => total + entry.length, output.length + start)
    const line = output.join(', ')
    if (length <= 80 && !trimmed.includes('\n') && !line.includes('\n')) return `${base}${open} ${line} ${form.close}`
  }
  const margin = `\n${' '.repeat(state.indentation)}`
  return `${base}${open}${margin}  ${output.join(`,${margin}  `)}${margin}${form.close}`
}

/** More than six entries of a list, several to a line and one under the other. Source: Node.js `groupArrayElements`. */
export function inColumns(state: InspectState, entries: readonly string[], value: object): readonly string[] {
  const last = entries.at(-1) ?? ''
  const items = /^\.\.\. \d+ more items?$/.test(last) ? entries.slice(0, -1) : entries
  const widest = Math.max(...items.map((item) => item.length)) + 2
  const total = items.reduce((sum, item) => sum + item.length + 2, 0)
  if (widest * 3 + state.indentation >= 80 || (total / widest <= 5 && widest > 8)) return entries
  const bias = Math.max(widest - 3 - Math.sqrt(widest - total / entries.length), 1)
  const wanted = Math.round(Math.sqrt(2.5 * bias * items.length) / bias)
  const columns = Math.min(wanted, Math.floor((80 - state.indentation) / widest), 12, 15)
  if (columns <= 1) return entries
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...items.filter((_item, index) => index % columns === column).map((item) => item.length + 2)),
  )
  const isNumeric = entries.every((_, index) => ['number', 'bigint'].includes(typeof Reflect.get(value, index)))
  const lines: string[] = []
  for (let from = 0; from < items.length; from += columns) {
    const row = items.slice(from, from + columns)
    const cells = row.map((item, column) => {
      const isLast = column === row.length - 1
      const width = widths[column] ?? 0
      if (isNumeric) return isLast ? item.padStart(width - 2) : `${item}, `.padStart(width)
      return isLast ? item : `${item}, `.padEnd(width)
    })
    lines.push(cells.join(''))
  }
  return items === entries ? lines : [...lines, last]
}
