import type { Json } from '@millrace/dsl'
import { longNames, withValue } from '#src/editor/inspector/curl-options.ts'

/** The arguments of an HTTP call that a command of curl makes. */
export interface CurlCall {
  readonly method: string
  readonly endpoint: Json
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Json
}

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i

/** Reads a command of curl, as browsers and documentation of services give it; undefined for any other text, and without an address. */
export function readCurl(text: string): CurlCall | undefined {
  const [command, ...words] = shellWords(text)
  if (command !== 'curl' && command !== 'curl.exe') return undefined
  const options = optionsOf(words)
  const of = (name: string) => options.flatMap((option) => (option.name === name ? [option.value] : []))
  const addresses = of('url')
  // A value of an option that is not known here would be the first word.
  const address = addresses.find((one) => scheme.test(one)) ?? addresses[0]
  if (address === undefined) return undefined
  const headers = headersOf(options)
  const data = options
    .filter(({ name }) => /^(?:data|json)/.test(name))
    .map(({ name, value }) => (name === 'data-urlencode' ? encoded(value) : value))
  const forms = [...of('form'), ...of('form-string')]
  if (of('json').length > 0) headers.set('content-type', 'application/json')
  if (forms.length > 0) headers.set('content-type', 'multipart/form-data')
  const isQuery = of('get').length > 0
  const typed = data.length > 0 && !isQuery ? bodyOf(data.join('&'), headers) : forms.length > 0 ? membersOf(forms) : undefined
  const [user] = of('user')
  const uri = scheme.test(address) ? address : `https://${address}`
  const [username = '', ...password] = user?.split(':') ?? []
  return {
    method: (of('request')[0] ?? (of('head').length > 0 ? 'head' : typed === undefined ? 'get' : 'post')).toLowerCase(),
    endpoint: user === undefined ? uri : { uri, authentication: { basic: { username, password: password.join(':') } } },
    ...(headers.size === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(isQuery && data.length > 0 ? { query: Object.fromEntries(new URLSearchParams(data.join('&'))) } : {}),
    ...(typed === undefined ? {} : { body: typed }),
  }
}

/** What a person has to know of a command that becomes a call: a credential that is in it, and an option that no call has. */
export type CurlNote = 'credential' | 'insecure'

export function curlNotes(text: string): readonly CurlNote[] {
  const options = optionsOf(shellWords(text).slice(1))
  const sent = [...headersOf(options).keys()]
  const isCredential =
    options.some(({ name }) => name === 'user') || sent.some((name) => /authorization|cookie|key|token|secret/.test(name))
  return [
    ...(isCredential ? (['credential'] as const) : []),
    ...(options.some(({ name }) => name === 'insecure') ? (['insecure'] as const) : []),
  ]
}

interface Option {
  readonly name: string
  readonly value: string
}

/** Options by their long names; every other word is an address. */
function optionsOf(words: readonly string[]): readonly Option[] {
  const found: Option[] = []
  const rest = words.values()
  for (const word of rest) {
    const next = () => rest.next().value ?? ''
    if (word.startsWith('--')) found.push({ name: word.slice(2), value: withValue.has(word.slice(2)) ? next() : '' })
    else if (word.startsWith('-') && word.length > 1) found.push(...shortOptions(word.slice(1), next))
    else found.push({ name: 'url', value: word })
  }
  return found
}

/** Letters behind one dash: the first that takes a value takes the rest of the word, or else the next word. */
function shortOptions(letters: string, next: () => string): readonly Option[] {
  const found: Option[] = []
  for (let at = 0; at < letters.length; at++) {
    const name = longNames[letters[at] ?? ''] ?? ''
    const value = withValue.has(name)
    found.push({ name, value: value ? letters.slice(at + 1) || next() : '' })
    if (value) break
  }
  return found
}

function headersOf(options: readonly Option[]): Map<string, string> {
  const headers = new Map<string, string>()
  for (const { name, value } of options) {
    if (name === 'user-agent' || name === 'referer' || name === 'cookie') headers.set(name, value)
    if (name === 'oauth2-bearer') headers.set('authorization', `Bearer ${value}`)
    const colon = value.indexOf(':')
    if (name === 'header' && colon > 0) headers.set(value.slice(0, colon).trim().toLowerCase(), value.slice(colon + 1).trim())
  }
  // The call sets them itself.
  for (const own of ['content-length', 'host', 'accept-encoding', 'connection']) headers.delete(own)
  return headers
}

/** A body of JSON as a value, and one of a form as an object; `headers` keeps the type where it is not JSON. */
function bodyOf(text: string, headers: Map<string, string>): Json {
  const type = headers.get('content-type') ?? ''
  if (type === '' || /\bjson\b/i.test(type)) {
    try {
      const value: Json = JSON.parse(text)
      if (type === '' || type === 'application/json') headers.delete('content-type')
      return value
    } catch {
      if (type !== '') return text
    }
  }
  if (type === '') headers.set('content-type', 'application/x-www-form-urlencoded')
  if (type !== '' && !type.includes('urlencoded')) return text
  const members = [...new URLSearchParams(text)]
  const isForm = /^[^=\s]+=/.test(text) && new Set(members.map(([name]) => name)).size === members.length
  return isForm ? Object.fromEntries(members) : text
}

function membersOf(forms: readonly string[]): Json {
  return Object.fromEntries(forms.map((form) => [form.slice(0, Math.max(0, form.indexOf('='))), form.slice(form.indexOf('=') + 1)]))
}

/** A value of `--data-urlencode`: what is behind the first `=` is encoded. */
function encoded(value: string): string {
  const at = value.indexOf('=')
  return at < 0 ? encodeURIComponent(value) : `${at === 0 ? '' : `${value.slice(0, at)}=`}${encodeURIComponent(value.slice(at + 1))}`
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  v: '\v',
}

/** What an escape of `$'…'` stands for: Chrome writes `!` as `\u0021`. */
function unescaped(escape: string): string {
  const octal = /^[0-7]+$/.test(escape)
  const code = octal ? Number.parseInt(escape, 8) : /^[uUx]./.test(escape) ? Number.parseInt(escape.slice(1), 16) : undefined
  return code === undefined || code > 0x10ffff ? (escapes[escape] ?? escape) : String.fromCodePoint(code)
}

/** A command for the prompt of Windows, where `^` escapes the next character, as one for a POSIX shell; every other command as it is. */
function ofPosix(text: string): string {
  if (!/\s\^"/.test(text)) return text
  return text.replaceAll(/\^(\r?\n|[\s\S])/g, (_, next: string) => (/\n/.test(next) ? ' ' : next))
}

/** The words of a command line of a POSIX shell, with `$'…'`; variables stay as they are written. */
function shellWords(text: string): readonly string[] {
  const words: string[] = []
  const pattern = /(?:\\\r?\n|\s)+|'([^']*)'|\$'((?:[^'\\]|\\[\s\S])*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|((?:(?!\$')[^\s'"\\])+)/g
  let word: string | undefined
  for (const [whole, single, ansi, double, escaped, plain] of ofPosix(text.trim()).matchAll(pattern)) {
    const part =
      single ??
      ansi?.replaceAll(/\\(u[\da-f]{1,4}|U[\da-f]{1,8}|x[\da-f]{1,2}|[0-7]{1,3}|[\s\S])/gi, (_, escape: string) => unescaped(escape)) ??
      double?.replaceAll(/\\(\r?\n|[\s\S])/g, (all, letter: string) =>
        '"\\$`'.includes(letter) ? letter : /\n/.test(letter) ? '' : all,
      ) ??
      escaped ??
      plain
    if (part === undefined && whole !== '') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + (part ?? '')
  }
  return word === undefined ? words : [...words, word]
}
