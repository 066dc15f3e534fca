import { type Token, tokensOf } from './tokens.ts'

/** What an expression can read. */
export interface ExpressionNames {
  /** The name under which the items of a node are read, or undefined if there is no such node. */
  keyOf(node: string): string | undefined
  /** jq of a variable of the installation. */
  variable(name: string): string | undefined
  readonly workflowName: string
}

type Type = 'text' | 'number' | 'boolean' | 'any'
type Part =
  | { readonly is: 'value'; readonly jq: string; readonly type: Type }
  | { readonly is: 'item' | 'items' | 'root'; readonly jq: string }

const plainName = /^[A-Za-z_]\w*$/

/** Translates an expression of n8n to jq over `$item`, `$index` and `$items`. Undefined where the meaning of jq would not be certain. */
export function toJq(source: string, names: ExpressionNames): { readonly jq: string; readonly type: Type } | undefined {
  const tokens = tokensOf(source.trim())
  if (tokens === undefined || tokens.length === 0) return undefined
  try {
    const reader = new Reader(tokens, names)
    const part = reader.whole()
    return part
  } catch (error) {
    if (error instanceof Uncertain) return undefined
    throw error
  }
}

/** jq for a value between the quotes of a text, as n8n writes it there. */
export function inText({ jq, type }: { readonly jq: string; readonly type: Type }): string {
  if (type !== 'any') return jq
  return ofRequest.test(jq) ? `${jq} // ""` : `${jq} | if . == null then "" else . end`
}

/** Members that are texts, if they are there. */
const ofRequest = /^\$item\.(?:headers|query|params)(?:\.\w+|\["[^"\\]*"\])$/

/** jq for a value as a text. */
function asText({ jq, type }: { readonly jq: string; readonly type: Type }): string {
  if (type === 'text') return jq
  if (type === 'number' || type === 'boolean') return `(${jq} | tostring)`
  return `(${jq} | if . == null then "" else tostring end)`
}

class Uncertain extends Error {}

const binary: Readonly<Record<string, number>> = {
  '??': 1,
  '||': 2,
  '&&': 3,
  '===': 4,
  '!==': 4,
  '==': 4,
  '!=': 4,
  '<': 5,
  '>': 5,
  '<=': 5,
  '>=': 5,
  '+': 6,
  '-': 6,
  '*': 7,
}
const falsy = '(. == null or . == false or . == "" or . == 0)'

/** Parses by precedence and writes jq at once. */
class Reader {
  private position = 0
  private depth = 0
  private readonly tokens: readonly Token[]
  private readonly names: ExpressionNames

  constructor(tokens: readonly Token[], names: ExpressionNames) {
    this.tokens = tokens
    this.names = names
  }

  whole() {
    const part = valueOf(this.ternary())
    if (this.peek(';')) this.position++
    if (this.position !== this.tokens.length) throw new Uncertain()
    return part
  }

  private ternary(): Part {
    if (++this.depth > 60) throw new Uncertain()
    const condition = this.operators(0)
    this.depth--
    if (!this.take('?')) return condition
    const yes = valueOf(this.ternary())
    this.expect(':')
    const no = valueOf(this.ternary())
    return value(`(if ${truth(valueOf(condition))} then ${yes.jq} else ${no.jq} end)`, yes.type === no.type ? yes.type : 'any')
  }

  private operators(least: number): Part {
    let left = this.unary()
    for (;;) {
      const sign = this.tokens[this.position]
      const rank = sign?.kind === 'sign' ? binary[sign.text] : undefined
      if (sign === undefined || rank === undefined || rank <= least) return left
      this.position++
      left = combine(sign.text, valueOf(left), valueOf(this.operators(rank)))
    }
  }

  private unary(): Part {
    if (this.take('!')) return value(`(${truth(valueOf(this.unary()))} | not)`, 'boolean')
    if (this.peek('-') && this.tokens[this.position + 1]?.kind === 'number') {
      this.position++
      return value(`-${this.next().text}`, 'number')
    }
    return this.postfix(this.primary())
  }

  private postfix(start: Part): Part {
    let part = start
    for (;;) {
      if (this.take('.') || this.take('?.')) part = this.member(part, this.name())
      else if (this.take('[') || this.take('?.[')) {
        const index = valueOf(this.ternary())
        this.expect(']')
        part = subscript(part, index)
      } else return part
    }
  }

  private member(part: Part, name: string): Part {
    if (this.take('(')) return this.call(part, name)
    if (part.is === 'item' && name === 'json') return value(part.jq, 'any')
    if (part.is === 'items' && name === 'length') return value(`(${part.jq} | length)`, 'number')
    if (part.is === 'root' && name === 'item') return { is: 'item', jq: paired(part.jq) }
    if (part.is === 'root' && name === 'json') return value(paired(part.jq), 'any')
    if (part.is !== 'value') throw new Uncertain()
    // `length` may be that of a text or list, or a property.
    if (name === 'length') return value(`(${part.jq} | if type == "object" then .length else length end)`, 'any')
    return value(`${part.jq}${key(name)}`, 'any')
  }

  private call(part: Part, method: string): Part {
    const args: { jq: string; type: Type }[] = []
    while (!this.take(')')) {
      args.push(valueOf(this.ternary()))
      if (!this.take(',') && !this.peek(')')) throw new Uncertain()
    }
    if (part.is === 'root' && args.length === 0) {
      if (method === 'first') return { is: 'item', jq: `${part.jq}[0]` }
      if (method === 'last') return { is: 'item', jq: `${part.jq}[-1]` }
      if (method === 'all') return { is: 'items', jq: part.jq }
    }
    if (part.is !== 'value') throw new Uncertain()
    return methodOf(part, method, args)
  }

  private primary(): Part {
    const token = this.next()
    if (token.kind === 'number') return value(token.text, 'number')
    if (token.kind === 'text') return value(JSON.stringify(token.text), 'text')
    if (token.kind === 'template') return this.template(token.text)
    if (token.kind === 'sign') return this.enclosed(token.text)
    return this.named(token.text)
  }

  private enclosed(sign: string): Part {
    if (sign === '(') {
      const inner = valueOf(this.ternary())
      this.expect(')')
      return value(`(${inner.jq})`, inner.type)
    }
    if (sign !== '[') throw new Uncertain()
    const entries: string[] = []
    while (!this.take(']')) {
      entries.push(valueOf(this.ternary()).jq)
      if (!this.take(',') && !this.peek(']')) throw new Uncertain()
    }
    return value(`[${entries.map((entry) => `(${entry})`).join(', ')}]`, 'any')
  }

  private template(text: string): Part {
    if (!text.includes('${')) return value(JSON.stringify(text), 'text')
    const pieces = text.split(/\$\{([^{}`]*)\}/)
    const parts = pieces.map((piece, index) => {
      if (index % 2 === 0) return JSON.stringify(piece).slice(1, -1)
      const inner = toJq(piece, this.names)
      if (inner === undefined) throw new Uncertain()
      // A template of JavaScript writes "undefined" for what is missing; only a text is certain.
      return `\\(${inText(inner)})`
    })
    return value(`"${parts.join('')}"`, 'text')
  }

  private named(name: string): Part {
    if (name === 'true' || name === 'false') return value(name, 'boolean')
    if (name === 'null' || name === 'undefined') return value('null', 'any')
    if (name === '$json') return value('$item', 'any')
    if (name === '$itemIndex') return value('$index', 'number')
    if (name === '$input') return { is: 'root', jq: '$items' }
    if (name === '$' || name === '$items') return this.node('(', ')', name === '$items')
    if (name === '$node') return this.peek('[') ? this.node('[', ']', false) : this.nodeNamed()
    if (name === '$workflow' || name === '$execution') return this.ofWorkflow(name)
    if (name === '$vars' || name === '$env') return this.variable()
    if (name === 'encodeURIComponent' && this.take('(')) {
      const inner = valueOf(this.ternary())
      this.expect(')')
      return value(`(${asText(inner)} | @uri)`, 'text')
    }
    throw new Uncertain()
  }

  private node(open: string, close: string, all: boolean): Part {
    this.expect(open)
    const { kind, text } = this.next()
    this.expect(close)
    if (kind !== 'text') throw new Uncertain()
    return this.items(text, all)
  }

  private nodeNamed(): Part {
    this.expect('.')
    return this.items(this.name(), false)
  }

  private items(node: string, all: boolean): Part {
    const readAs = this.names.keyOf(node)
    if (readAs === undefined) throw new Uncertain()
    return { is: all ? 'items' : 'root', jq: `$list[${JSON.stringify(readAs)}]` }
  }

  private ofWorkflow(name: string): Part {
    this.expect('.')
    const member = this.name()
    if (name === '$execution' && member === 'id') return value('$workflow.id', 'text')
    if (name === '$workflow' && member === 'name') return value(JSON.stringify(this.names.workflowName), 'text')
    throw new Uncertain()
  }

  private variable(): Part {
    this.expect('.')
    const jq = this.names.variable(this.name())
    if (jq === undefined) throw new Uncertain()
    return value(jq, 'any')
  }

  private peek(sign: string): boolean {
    const token = this.tokens[this.position]
    return token?.kind === 'sign' && token.text === sign
  }

  private take(sign: string): boolean {
    if (!this.peek(sign)) return false
    this.position++
    return true
  }

  private expect(sign: string): void {
    if (!this.take(sign)) throw new Uncertain()
  }

  private next(): Token {
    const token = this.tokens[this.position++]
    if (token === undefined) throw new Uncertain()
    return token
  }

  private name(): string {
    const { kind, text } = this.next()
    if (kind !== 'name') throw new Uncertain()
    return text
  }
}

function value(jq: string, type: Type): { readonly is: 'value'; readonly jq: string; readonly type: Type } {
  return { is: 'value', jq, type }
}

function valueOf(part: Part) {
  if (part.is !== 'value') throw new Uncertain()
  return part
}

/** The item of another node that belongs to the current one: that of the same place, else the first. */
function paired(items: string): string {
  return items === '$items' ? '$item' : items.replace('$list', '$one')
}

function key(name: string): string {
  return plainName.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

function subscript(part: Part, index: { readonly jq: string; readonly type: Type }): Part {
  if (part.is === 'items' && index.type === 'number') return { is: 'item', jq: `(${part.jq} | .[${index.jq}])` }
  if (part.is === 'item' && index.jq === '"json"') return value(part.jq, 'any')
  if (part.is !== 'value') throw new Uncertain()
  if (index.type === 'number') return value(`(${part.jq} | if type == "object" then .["\\(${index.jq})"] else .[${index.jq}] end)`, 'any')
  // A text that is a number may index a list.
  if (index.type !== 'text' || /^"\d+"$/.test(index.jq)) {
    if (!/^"\d+"$/.test(index.jq)) throw new Uncertain()
    return value(`(${part.jq} | if type == "array" then .[${index.jq.slice(1, -1)}] else .[${index.jq}] end)`, 'any')
  }
  return value(`${part.jq}[${index.jq}]`, 'any')
}

function truth({ jq, type }: { readonly jq: string; readonly type: Type }): string {
  return type === 'boolean' ? jq : `(${jq} | ${falsy} | not)`
}

function combine(sign: string, left: { jq: string; type: Type }, right: { jq: string; type: Type }): Part {
  const type = left.type === right.type ? left.type : 'any'
  if (sign === '??') return value(`(${left.jq} | if . == null then ${right.jq} else . end)`, type)
  if (sign === '||') return value(`(${left.jq} | if ${falsy} then ${right.jq} else . end)`, type)
  if (sign === '&&') return value(`(${left.jq} | if ${falsy} then . else ${right.jq} end)`, type)
  if (sign === '===' || sign === '!==') return equality(sign, left, right)
  if (sign === '==' || sign === '!=') {
    // Loose equality is that of jq where one side is a text that is no number, null or a boolean compared with a boolean.
    if (left.jq !== 'null' && right.jq !== 'null' && ![left, right].some((one) => /^"[^0-9"]+"$/.test(one.jq))) throw new Uncertain()
    return equality(sign, left, right)
  }
  if (sign === '+') {
    if (left.type === 'text' || right.type === 'text') return value(`(${asText(left)} + ${asText(right)})`, 'text')
    if (type === 'number') return value(`(${left.jq} + ${right.jq})`, 'number')
    throw new Uncertain()
  }
  if (type !== 'number') throw new Uncertain()
  return value(`(${left.jq} ${sign} ${right.jq})`, '<>='.includes(sign[0] ?? '') ? 'boolean' : 'number')
}

function equality(sign: string, left: { jq: string }, right: { jq: string }): Part {
  return value(`(${left.jq} ${sign.startsWith('!') ? '!=' : '=='} ${right.jq})`, 'boolean')
}

function methodOf(part: { jq: string; type: Type }, method: string, args: readonly { jq: string; type: Type }[]): Part {
  const [one] = args
  if (method === 'urlEncode' && one === undefined && part.type === 'text') return value(`(${part.jq} | @uri)`, 'text')
  if (method === 'toString' && one === undefined) return value(asText(part), 'text')
  if (method === 'split' && one?.type === 'text' && one.jq !== '""' && args.length === 1)
    return value(`(${part.jq} | split(${one.jq}))`, 'any')
  if (method === 'join' && one?.type === 'text')
    return value(`(${part.jq} | map(if . == null then "" else tostring end) | join(${one.jq}))`, 'text')
  if (method === 'includes' && one?.type === 'text')
    return value(`(${part.jq} | if type == "array" then any(.[]; . == ${one.jq}) else contains(${one.jq}) end)`, 'boolean')
  if (method === 'startsWith' && one?.type === 'text') return value(`(${part.jq} | startswith(${one.jq}))`, 'boolean')
  if (method === 'endsWith' && one?.type === 'text') return value(`(${part.jq} | endswith(${one.jq}))`, 'boolean')
  throw new Uncertain()
}
