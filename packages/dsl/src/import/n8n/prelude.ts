/**
 * The part of the prelude that a script uses, directly or through other parts, so that people can read what is their own in it.
 *
 * It reads `{ items, nodes, names, vars, workflow }` from standard input; `$json` and `$` read the items of the input and of earlier nodes.
 */
export function preludeFor(code: string): string {
  // `Math.max(…)` is no method that the prelude adds to arrays.
  const calls = code.replace(/\b(?:Object|Math|JSON|Promise)\s*\.\s*\w+/g, ' ').matchAll(/\.\s*(\w+)\s*\(/g)
  const methods = new Set(Array.from(calls, ([, name]) => name ?? ''))
  const used = new Set<Part>()
  const use = (part: Part) => {
    if (used.has(part)) return
    used.add(part)
    useNamed(part.words)
  }
  const useNamed = (words: ReadonlySet<string>) => {
    for (const part of parts) if (part.names.some((name) => words.has(name))) use(part)
  }
  useNamed(wordsIn(code))
  for (const part of parts) if (part.always || part.methods.some((name) => methods.has(name))) use(part)
  return parts
    .filter((part) => used.has(part))
    .map(({ text }) => text)
    .join('')
}

/** Some statements of the prelude. */
interface Part {
  readonly text: string
  readonly names: readonly string[]
  /** That it adds to objects of the language. */
  readonly methods: readonly string[]
  /** The names that it reads, among others. */
  readonly words: ReadonlySet<string>
  readonly always: boolean
}

function wordsIn(code: string): Set<string> {
  return new Set(code.replaceAll(/\$\{|globalThis\.console/g, ' ').match(/[$\w]+/g))
}

function partOf(text: string): Part {
  const extends_ = text.startsWith('$extend(')
  const names = extends_
    ? []
    : Array.from(
        text.matchAll(/(?:^(?:const|let|class) ([$A-Za-z][$\w]*)|, (\$\w+|getWorkflowStaticData|clearTimeout|atob) = )/g),
        ([, name, other]) => name ?? other ?? '',
      )
  const methods = extends_ ? Array.from(text.matchAll(/(?<=^|[ ,{])(\w+)\([^()]*\) \{/g), ([, name]) => name ?? '') : []
  return { text: `${text}\n`, names, methods, words: wordsIn(text), always: !extends_ && names.length === 0 }
}

/** What code of n8n expects of its host. */
const prelude = String.raw`let $text = ''
for await (const $part of process.stdin) $text += $part
const $in = JSON.parse($text)
const $print = (value) => globalThis.console.log(JSON.stringify(value))
const $log = (...values) => globalThis.console.error(...values)
const console = { log: $log, info: $log, debug: $log, warn: $log, error: $log, table: $log }
const $wrap = (list) => (list || []).map((json, index) => ({ json, binary: {}, pairedItem: { item: index } }))
const items = $wrap($in.items)
const $vars = $in.vars || {}, $env = $vars, $workflow = $in.workflow, $execution = { id: $in.execution, mode: 'production' }
let $itemIndex = 0
const $access = (list) => ({
  all: () => list, first: () => list[0], last: () => list[list.length - 1], itemMatching: (n) => list[n],
  get item() { return list[$itemIndex] || list[0] },
  get json() { return (list[$itemIndex] || list[0] || {}).json },
  get isExecuted() { return list.length > 0 }, params: {}, context: {},
})
const $known = {}
const $ = (name) => {
  if (!(name in $in.names)) throw new Error('There is no data of the node "' + name + '".')
  return $known[name] || ($known[name] = $access($wrap($in.nodes[$in.names[name]])))
}
const $node = new Proxy({}, { get: (_, name) => $(name) })
const $items = (name) => (name === undefined ? items : $(name).all())
const $item = (n) => ({ $node: new Proxy({}, { get: (_, name) => $access([$(name).all()[n]].filter(Boolean)) }) })
const $input = $access(items)
const $getWorkflowStaticData = () => ({}), getWorkflowStaticData = $getWorkflowStaticData
const setTimeout = (callback, _ms, ...values) => (Promise.resolve().then(() => callback(...values)), 0), clearTimeout = () => {}
const require = (name) => { throw new Error('The module "' + name + '" is not available in a script.') }
const $alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const $utf8 = (text) => Array.from(unescape(encodeURIComponent(text)), (letter) => letter.charCodeAt(0))
const $base64 = (bytes) => { let text = ''; for (let i = 0; i < bytes.length; i += 3) { const n = (bytes[i] << 16) | ((bytes[i + 1] || 0) << 8) | (bytes[i + 2] || 0); text += $alphabet[n >> 18] + $alphabet[(n >> 12) & 63] + (i + 1 < bytes.length ? $alphabet[(n >> 6) & 63] : '=') + (i + 2 < bytes.length ? $alphabet[n & 63] : '=') } return text }
const $unbase64 = (text) => { const bytes = []; let n = 0, bits = 0; for (const letter of String(text).replace(/-/g, '+').replace(/_/g, '/')) { const v = $alphabet.indexOf(letter); if (v < 0) continue; n = ((n << 6) | v) & 0xffffff; bits += 6; if (bits >= 8) { bits -= 8; bytes.push((n >> bits) & 255) } } return bytes }
const $buffer = (bytes) => ({ bytes, length: bytes.length, toString: (as) => (as === 'base64' ? $base64(bytes) : as === 'hex' ? bytes.map((b) => b.toString(16).padStart(2, '0')).join('') : (() => { const raw = bytes.map((b) => String.fromCharCode(b)).join(''); if (as === 'binary' || as === 'latin1') return raw; try { return decodeURIComponent(escape(raw)) } catch { return raw } })()) })
const Buffer = { from: (value, as) => $buffer(Array.isArray(value) ? value : value && value.bytes ? value.bytes : as === 'base64' || as === 'base64url' ? $unbase64(value) : as === 'hex' ? (String(value).match(/../g) || []).map((pair) => parseInt(pair, 16)) : $utf8(String(value))), isBuffer: (value) => Boolean(value && value.bytes), byteLength: (text) => $utf8(String(text)).length, concat: (list) => $buffer(list.flatMap((one) => one.bytes)) }
const btoa = (text) => $base64(Array.from(text, (letter) => letter.charCodeAt(0))), atob = (text) => $buffer($unbase64(text)).toString('binary')
const $if = (condition, yes, no) => (condition ? yes : no)
const $ifEmpty = (value, other) => (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0) ? other : value)
const $max = Math.max, $min = Math.min
const $pad = (n, width) => String(n).padStart(width, '0')
const $units = { millisecond: 1, second: 1e3, minute: 6e4, hour: 36e5, day: 864e5, week: 6048e5 }
const $unit = (name) => String(name).replace(/s$/, '')
class DateTime {
  constructor(ms) { this.ms = ms }
  static now() { return new DateTime(Date.now()) }
  static utc() { return DateTime.now() }
  static local() { return DateTime.now() }
  static fromISO(text) { return new DateTime(Date.parse(text)) }
  static fromMillis(ms) { return new DateTime(ms) }
  static fromSeconds(s) { return new DateTime(s * 1000) }
  static fromJSDate(date) { return new DateTime(date.getTime()) }
  get date() { return new Date(this.ms) }
  get isValid() { return !Number.isNaN(this.ms) }
  get year() { return this.date.getUTCFullYear() }
  get month() { return this.date.getUTCMonth() + 1 }
  get day() { return this.date.getUTCDate() }
  get hour() { return this.date.getUTCHours() }
  get minute() { return this.date.getUTCMinutes() }
  get second() { return this.date.getUTCSeconds() }
  get weekday() { return this.date.getUTCDay() || 7 }
  get ts() { return this.ms }
  setZone() { return this }
  toUTC() { return this }
  setLocale() { return this }
  move(sign, amount, unit) {
    const parts = typeof amount === 'object' ? amount : { [unit || 'millisecond']: amount }
    let result = this
    for (const [name, count] of Object.entries(parts)) {
      const one = $unit(name), n = sign * Number(count)
      if ($units[one]) { result = new DateTime(result.ms + n * $units[one]); continue }
      const months = one === 'year' ? 12 * n : one === 'quarter' ? 3 * n : n
      const d = result.date, day = d.getUTCDate()
      d.setUTCDate(1); d.setUTCMonth(d.getUTCMonth() + months)
      d.setUTCDate(Math.min(day, new Date(Date.UTC(d.getUTCFullYear(), d.getUTCMonth() + 1, 0)).getUTCDate()))
      result = new DateTime(d.getTime())
    }
    return result
  }
  plus(amount, unit) { return this.move(1, amount, unit) }
  minus(amount, unit) { return this.move(-1, amount, unit) }
  startOf(unit) {
    const d = this.date, one = $unit(unit)
    if (one === 'year') d.setUTCMonth(0)
    if (one === 'year' || one === 'month') d.setUTCDate(1)
    if (one === 'week') d.setUTCDate(d.getUTCDate() - (this.weekday - 1))
    if (['year', 'month', 'week', 'day'].includes(one)) d.setUTCHours(0)
    if (one !== 'minute' && one !== 'second') d.setUTCMinutes(0)
    if (one !== 'second') d.setUTCSeconds(0)
    d.setUTCMilliseconds(0)
    return new DateTime(d.getTime())
  }
  endOf(unit) { return this.startOf(unit).plus(1, unit).minus(1) }
  diff(other, unit) { const n = (this.ms - $date(other).ms) / ($units[$unit(unit || 'millisecond')] || 1); return { as: () => n, [unit || 'milliseconds']: n, milliseconds: this.ms - $date(other).ms, toObject: () => ({ [unit || 'milliseconds']: n }) } }
  diffTo(other, unit) { return $date(other).diff(this, unit || 'days')[unit || 'days'] }
  toISO() { return this.date.toISOString() }
  toISODate() { return this.toISO().slice(0, 10) }
  toMillis() { return this.ms }
  toSeconds() { return this.ms / 1000 }
  toUnixInteger() { return Math.floor(this.ms / 1000) }
  toJSDate() { return this.date }
  toJSON() { return this.toISO() }
  toString() { return this.toISO() }
  valueOf() { return this.ms }
  format(pattern) { return this.toFormat(pattern) }
  toFormat(pattern) {
    const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
    const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
    const d = this, h = d.hour % 12 || 12
    const parts = { yyyy: d.year, yy: $pad(d.year % 100, 2), MMMM: months[d.month - 1], MMM: months[d.month - 1].slice(0, 3), MM: $pad(d.month, 2), M: d.month, dd: $pad(d.day, 2), d: d.day, HH: $pad(d.hour, 2), H: d.hour, hh: $pad(h, 2), h, mm: $pad(d.minute, 2), m: d.minute, ss: $pad(d.second, 2), s: d.second, SSS: $pad(d.ms % 1000, 3), a: d.hour < 12 ? 'AM' : 'PM', EEEE: days[d.weekday - 1], cccc: days[d.weekday - 1], EEE: days[d.weekday - 1].slice(0, 3), ccc: days[d.weekday - 1].slice(0, 3), E: d.weekday, c: d.weekday, ZZ: '+00:00', Z: '+0', x: d.ms, X: Math.floor(d.ms / 1000) }
    return pattern.replace(/'([^']*)'|yyyy|yy|M{1,4}|d{1,2}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|SSS|a|EEEE|EEE|E|cccc|ccc|c|ZZ|Z|x|X/g, (part, quoted) => (quoted !== undefined ? quoted : String(parts[part])))
  }
}
const $date = (value) => (value instanceof DateTime ? value : value instanceof Date ? DateTime.fromJSDate(value) : new DateTime(typeof value === 'number' ? value : Date.parse(value)))
const $now = DateTime.now(), $today = $now.startOf('day')
const $extend = (type, methods) => { for (const [name, value] of Object.entries(methods)) if (!(name in type.prototype)) Object.defineProperty(type.prototype, name, { value, writable: true, configurable: true }) }
$extend(String, {
  toDateTime() { return $date(String(this)) }, toInt() { return parseInt(this, 10) }, toNumber() { return Number(this) }, toFloat() { return parseFloat(this) }, toBoolean() { return !['false', 'no', '0', ''].includes(String(this).toLowerCase()) },
  isEmpty() { return this.length === 0 }, isNotEmpty() { return this.length > 0 }, isEmail() { return /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(this) },
  extractEmail() { return (/[^@\s<>]+@[^@\s<>]+\.[^@\s<>]+/.exec(this) || [])[0] }, extractDomain() { return (/^(?:[a-z]+:\/\/|.*@)?([^/?#:@\s]+)/i.exec(this) || [])[1] }, extractUrl() { return (/https?:\/\/[^\s"'<>]+/.exec(this) || [])[0] },
  toTitleCase() { return this.replace(/\S+/g, (w) => w[0].toUpperCase() + w.slice(1).toLowerCase()) }, toSentenceCase() { return this.charAt(0).toUpperCase() + this.slice(1).toLowerCase() }, toSnakeCase() { return this.trim().toLowerCase().replace(/[\s-]+/g, '_') },
  removeTags() { return this.replace(/<[^>]*>/g, '') }, removeMarkdown() { return this.replace(/[*_~#>]|${'`'}/g, '') }, urlEncode() { return encodeURIComponent(this) }, urlDecode() { return decodeURIComponent(this) }, parseJson() { return JSON.parse(this) }, quote(mark) { return (mark || '"') + this + (mark || '"') },
})
$extend(Array, {
  first() { return this[0] }, last() { return this[this.length - 1] }, isEmpty() { return this.length === 0 }, isNotEmpty() { return this.length > 0 },
  unique(key) { const seen = new Set(); return this.filter((one) => { const id = JSON.stringify(key ? one[key] : one); return seen.has(id) ? false : seen.add(id) }) }, removeDuplicates(key) { return this.unique(key) },
  pluck(...keys) { return this.map((one) => (keys.length === 1 ? one[keys[0]] : Object.fromEntries(keys.map((key) => [key, one[key]])))) }, sum() { return this.reduce((a, b) => a + Number(b), 0) }, average() { return this.sum() / this.length }, max() { return Math.max(...this) }, min() { return Math.min(...this) }, compact() { return this.filter((one) => one !== null && one !== undefined && one !== '') }, chunk(size) { const parts = []; for (let i = 0; i < this.length; i += size) parts.push(this.slice(i, i + size)); return parts }, append(...more) { return [...this, ...more] }, randomItem() { return this[Math.floor(Math.random() * this.length)] }, toJsonString() { return JSON.stringify(this) },
})
$extend(Number, { toDateTime() { return $date(Number(this)) }, round(n) { return Number(this.toFixed(n || 0)) }, floor() { return Math.floor(this) }, ceil() { return Math.ceil(this) }, abs() { return Math.abs(this) }, isEven() { return this % 2 === 0 }, isOdd() { return this % 2 !== 0 }, toBoolean() { return Number(this) !== 0 } })
$extend(Object, { isEmpty() { return Object.keys(this).length === 0 }, isNotEmpty() { return Object.keys(this).length > 0 }, hasField(name) { return name in this }, keys() { return Object.keys(this) }, values() { return Object.values(this) }, toJsonString() { return JSON.stringify(this) }, removeField(name) { const { [name]: _, ...rest } = this; return rest }, merge(other) { return { ...this, ...other } } })
$extend(Date, { toDateTime() { return $date(this) }, format(pattern) { return $date(this).toFormat(pattern) }, plus(n, unit) { return $date(this).plus(n, unit) }, minus(n, unit) { return $date(this).minus(n, unit) } })
const $list = (result) => (result === undefined || result === null ? [] : Array.isArray(result) ? result : [result]).map((one) => (one && typeof one === 'object' && 'json' in one ? one.json : one && typeof one === 'object' ? one : { data: one }))
`

const parts = prelude
  .trimEnd()
  .split(/\n(?=(?:const|let|class|for) |\$extend\()/)
  .map(partOf)
