import { isPlainNative } from '#src/builtins/natives.ts'
import type { Ir, IrEntry, NativeName } from '#src/lower/ir.ts'
import { parts } from '#src/lower/visit.ts'
import { allOf, type Emits, emitsOf } from './emits.ts'
import {
  type Absence,
  absent,
  type Budget,
  constant,
  either,
  fromAll,
  isWithout,
  memberOf,
  merged,
  objectOf,
  type Traced,
  unknown,
  unsure,
  withMember,
} from './traced.ts'

/**
 * When a node is evaluated: `always`; `each` for every element of a list, of which there may be none; `some` in some runs, for a reason that has nothing to
 * do with an absent value; `never` stands for whatever else is not evaluated in every run, or has a default.
 */
type Certainty = 'always' | 'each' | 'some' | 'never'

/** Bindings, newest first, one for each link of the environment. */
type Env = { readonly value: Traced; readonly outer: Env } | undefined

export interface TracerOptions {
  readonly variables: ReadonlyMap<string, Traced>
  readonly found: (path: string, sure: boolean) => void
  readonly lacks?: (absence: Absence) => void
  readonly member?: ((of: Traced, name: string) => void) | undefined
  /** The program if it decides: an absent value is then different from any other, as intended. */
  readonly condition: Ir | undefined
  readonly budget: Budget
}

/** A node with parts. */
type Compound = Exclude<Ir, { kind: 'identity' | 'constant' | 'global' | 'variable' | 'break' | 'parameter' | 'call' }>

/** Natives that ask whether there is a value. */
const presenceChecks: ReadonlySet<NativeName> = new Set(['not/0', 'type/0'])
const inputless: ReadonlySet<NativeName> = new Set(['now/0', 'nan/0', 'infinite/0', 'empty/0'])

export class Tracer {
  readonly #options: TracerOptions
  /** Values that are certainly absent, each with the member that is not there. */
  readonly #absences = new Map<Traced, Absence>()
  /** Nodes whose output decides. */
  readonly #deciding: ReadonlySet<Ir>
  /** How many nodes around collect all outputs; otherwise only the first output is certainly computed. */
  #collecting = 0

  constructor(options: TracerOptions) {
    this.#options = options
    this.#deciding = options.condition === undefined ? new Set() : operandsOf(options.condition)
  }

  /** Notes that a value is used. */
  use(value: Traced, when: Certainty): void {
    this.#note(value, when)
    this.#miss(value, when)
  }

  /** Notes that a value decides: an absent one as false, which it is in every run. */
  decide(value: Traced, when: Certainty): void {
    this.#note(value, 'never')
    this.#miss(value, when)
  }

  #miss(value: Traced, when: Certainty): void {
    const absence = when === 'never' ? undefined : this.#absences.get(value)
    if (absence !== undefined) this.#options.lacks?.(absence)
  }

  #note({ origins }: Traced, when: Certainty): void {
    this.#options.budget.left -= origins.length
    for (const { path, sure } of origins) {
      const certain = when === 'always' || (when === 'each' && path.includes('[]'))
      if (path !== '') this.#options.found(path, sure && certain)
    }
  }

  /** Follows a node on its input; what it uses is noted on the way, and what it gives is not. */
  trace(ir: Ir, at: Traced, env: Env, when: Certainty): Traced {
    if (this.#options.budget.left-- <= 0) return unknown
    switch (ir.kind) {
      case 'identity':
        return at
      case 'constant':
        return constant(ir.value)
      case 'global':
        return this.#options.variables.get(ir.name) ?? unknown
      case 'variable':
        return bound(env, ir.up)
      case 'break':
      case 'parameter':
      case 'call':
        // A recursive definition, or one in a very long program.
        return unknown
      default:
        return this.#compound(ir, at, env, when)
    }
  }

  #compound(ir: Compound, at: Traced, env: Env, when: Certainty): Traced {
    const go = (part: Ir, certainty = when) => this.trace(part, at, env, certainty)
    switch (ir.kind) {
      case 'pipe':
        return this.trace(ir.right, go(ir.left), env, after(when, emitsOf(ir.left)))
      case 'alternative': {
        const [left, right] = [go(ir.left, 'never'), go(ir.right, 'never')]
        this.use(left, 'never')
        return unsure(either(left, right, this.#options.budget))
      }
      case 'if': {
        const [condition, inside] = this.#guard(ir.condition, at, env, when)
        this.use(condition, 'never')
        const value = either(go(ir.yes, inside), go(ir.no, inside), this.#options.budget)
        return allOf([ir.yes, ir.no]) === 'some' ? value : unsure(value)
      }
      case 'try': {
        const { origins, ...value } = unsure(go(ir.body, 'never'))
        // What a handler gives is not known.
        return ir.handler === undefined ? { ...value, origins } : { ...unknown, origins }
      }
      case 'index':
      case 'slice':
      case 'iterate':
        return this.#access(ir, at, env, when)
      case 'object':
        return this.#object(ir.entries, at, env, when)
      case 'binary':
      case 'logic':
        return this.#operator(ir, at, env, when)
      case 'assign':
      case 'modify':
        return this.#update(ir, at, env, when)
      case 'bind':
      case 'reduce':
      case 'foreach':
        return this.#binding(ir, at, env, when)
      case 'native':
        return this.#native(ir.name, ir.args, at, env, when)
      case 'array':
        return this.#collected(ir.body, at, env, when)
      case 'negate':
      case 'string':
        return this.#made(parts(ir), at, env, when)
      case 'comma':
        return this.#comma(ir.items, at, env, when)
      case 'label':
        return unsure(this.trace(ir.body, at, { value: unknown, outer: env }, 'never'))
    }
  }

  /** Without a part around that collects all outputs, only the first is certainly computed. */
  #comma(items: readonly Ir[], at: Traced, env: Env, when: Certainty): Traced {
    const values = items.map((item, index) => {
      const isSure = index === 0 || this.#collecting > 0
      const value = this.trace(item, at, env, isSure ? when : 'never')
      return isSure ? value : unsure(value)
    })
    return fromAll(values)
  }

  #access(ir: Extract<Ir, { kind: 'index' | 'slice' | 'iterate' }>, at: Traced, env: Env, when: Certainty): Traced {
    const certain = (value: Traced) => (ir.optional ? unsure(value) : value)
    if (ir.kind === 'iterate') {
      const target = certain(this.trace(ir.target, at, env, when))
      this.use(target, ir.optional ? 'never' : when)
      return memberOf(target, undefined)
    }
    if (ir.kind === 'slice') {
      const [target = unknown] = this.#used([ir.target, ir.from, ir.to], at, env, ir.optional ? 'never' : when)
      // It may leave out every element.
      return unsure({ ...unknown, origins: target.origins })
    }
    const key = ir.key.kind === 'constant' ? ir.key.value : undefined
    if (typeof key === 'string') {
      const target = this.trace(ir.target, at, env, when)
      if (!ir.optional) return this.#member(target, key)
      this.#options.member?.(target, key)
      return memberOf(certain(target), key)
    }
    const [target = unknown] = this.#used([ir.target, ir.key], at, env, ir.optional ? 'never' : when)
    if (typeof key !== 'number') return unknown
    const element = memberOf(target, undefined)
    // Only the first and the last element are in every list that is not empty.
    return key === 0 || key === -1 ? certain(element) : unsure(element)
  }

  #member(value: Traced, name: string): Traced {
    this.#options.member?.(value, name)
    const member = memberOf(value, name)
    if (member !== absent || this.#options.lacks === undefined) return member
    // Of a path the first member that is not there counts.
    const absence = this.#absences.get(value) ?? (isWithout(value, name) ? { name, of: value } : undefined)
    if (absence === undefined) return member
    const missed = { ...absent }
    this.#absences.set(missed, absence)
    return missed
  }

  /** A value on which it depends whether others are evaluated, and how certain those are. */
  #guard(ir: Ir, at: Traced, env: Env, when: Certainty): readonly [value: Traced, inside: Certainty] {
    const before = this.#absences.size
    const value = this.trace(ir, at, env, when)
    // Something that may ask for an absent value keeps what depends on it from being evaluated.
    return [value, when !== 'never' && readsOnly(ir) && this.#absences.size === before ? 'some' : 'never']
  }

  #object(entries: readonly IrEntry[], at: Traced, env: Env, when: Certainty): Traced {
    const members = new Map<string, Traced>()
    const nodes = entries.flatMap(({ key, value }) => (value === undefined ? [key] : [key, value]))
    const values = new Map(this.#used(nodes, at, env, when).map((value, index) => [nodes[index], value]))
    let closed = true
    for (const { key, value } of entries) {
      if (key.kind !== 'constant' || typeof key.value !== 'string') closed = false
      else if (value !== undefined) members.set(key.value, values.get(value) ?? unknown)
      else {
        const member = this.#member(at, key.value)
        this.use(member, after(when, allOf(nodes)))
        members.set(key.value, member)
      }
    }
    return objectOf(members, closed)
  }

  #operator(ir: Extract<Ir, { kind: 'binary' | 'logic' }>, at: Traced, env: Env, when: Certainty): Traced {
    if (ir.kind === 'logic') {
      const [left, inside] = this.#guard(ir.left, at, env, when)
      const right = this.trace(ir.right, at, env, inside)
      for (const [value, part, certainty] of [[left, ir.left, when] as const, [right, ir.right, inside] as const]) {
        if (this.#deciding.has(part)) this.decide(value, certainty)
        else this.use(value, 'never')
      }
      return unknown
    }
    const nodes = [ir.left, ir.right]
    const certainties = besides(when, nodes)
    const [left = unknown, right = unknown] = nodes.map((node, index) => this.trace(node, at, env, certainties[index] ?? 'never'))
    const isEquality = /[!=]=/.test(ir.operator)
    const isCheck = isEquality && [left, right].some((value) => this.#isForAbsent(value))
    for (const [index, value] of [left, right].entries()) {
      const certainty = certainties[index] ?? 'never'
      this.#note(value, isCheck ? 'never' : certainty)
      if (!isEquality || !this.#asksForAbsent(value === left ? right : left)) this.#miss(value, certainty)
    }
    return ir.operator === '+' ? merged(left, right, this.#options.budget) : unknown
  }

  /** Whether a comparison with a value is meant for an absent one too: with null, with a flag, or in a condition. */
  #isForAbsent({ known }: Traced): boolean {
    return known !== undefined && (this.#options.condition !== undefined || known.value === null || typeof known.value === 'boolean')
  }

  /** Whether a comparison with a value asks if another is absent. */
  #asksForAbsent(value: Traced): boolean {
    if (value.known === undefined || this.#absences.has(value)) return false
    return value.known.value === null || (this.#options.condition === undefined && typeof value.known.value === 'boolean')
  }

  #update(ir: Extract<Ir, { kind: 'assign' | 'modify' }>, at: Traced, env: Env, when: Certainty): Traced {
    const { target } = ir
    const name =
      target.kind === 'index' && target.target.kind === 'identity' && target.key.kind === 'constant' ? target.key.value : undefined
    const old = typeof name === 'string' ? memberOf(at, name) : unknown
    const made = ir.kind === 'assign' ? this.trace(ir.value, at, env, when) : this.trace(ir.update, old, env, 'never')
    this.use(made, ir.kind === 'assign' ? when : 'never')
    return typeof name === 'string' && emitsOf(ir) === 'some' ? withMember(at, name, made) : unknown
  }

  #binding(ir: Extract<Ir, { kind: 'bind' | 'reduce' | 'foreach' }>, at: Traced, env: Env, when: Certainty): Traced {
    const isBind = ir.kind === 'bind'
    if (!isBind) this.#collecting++
    const source = this.trace(ir.source, at, env, when)
    const isPlain = ir.variables === 1 && ir.patterns.length === 1 && ir.patterns[0]?.kind === 'variable'
    let inside = env
    for (let index = 0; index < ir.variables; index++) inside = { value: isPlain ? source : unknown, outer: inside }
    if (!isPlain) this.use(source, when)
    const certainty = after(when, emitsOf(ir.source))
    if (isBind) return this.trace(ir.body, at, inside, certainty)
    this.#collecting--
    this.#used([ir.initial], at, env, when)
    this.#used([ir.update], unknown, inside, certainty)
    if (ir.kind === 'foreach' && ir.extract !== undefined) this.#used([ir.extract], unknown, inside, 'never')
    return unknown
  }

  /** Follows parts that see the same input and are all used. One that has no output keeps the others from being evaluated. */
  #used(nodes: readonly Ir[], at: Traced, env: Env, when: Certainty): readonly Traced[] {
    const certainties = besides(when, nodes)
    return nodes.map((node, index) => {
      const certainty = certainties[index] ?? 'never'
      const value = this.trace(node, at, env, certainty)
      this.use(value, certainty)
      return value
    })
  }

  /** A new value of parts that see the same input. */
  #made(nodes: readonly Ir[], at: Traced, env: Env, when: Certainty): Traced {
    this.#used(nodes, at, env, when)
    return unknown
  }

  /** A value of all outputs of a part. */
  #collected(part: Ir, at: Traced, env: Env, when: Certainty): Traced {
    this.#collecting++
    this.#made([part], at, env, when)
    this.#collecting--
    return unknown
  }

  #native(name: NativeName, args: readonly Ir[], at: Traced, env: Env, when: Certainty): Traced {
    const [first, second] = args
    if (presenceChecks.has(name)) this.use(at, 'never')
    else if ((name === 'first/1' || name === 'last/1') && first !== undefined) return unsure(this.trace(first, at, env, when))
    else if ((name === 'any/2' || name === 'all/2') && first !== undefined && second !== undefined) {
      const source = this.trace(first, at, env, when)
      this.use(this.trace(second, source, env, 'never'), 'never')
    } else if (name === 'add/1' && first !== undefined) this.#collected(first, at, env, when)
    else {
      if (!inputless.has(name) && !name.startsWith('range/')) this.use(at, after(when, allOf(args)))
      if (isPlainNative(name) || name.startsWith('range/')) this.#made(args, at, env, when)
    }
    return unknown
  }
}

function bound(env: Env, up: number): Traced {
  let at = env
  for (let index = 0; index < up; index++) at = at?.outer
  return at?.value ?? unknown
}

/** How certain it is that something is evaluated that needs outputs of others. */
function after(when: Certainty, emits: Emits): Certainty {
  if (when === 'never' || emits === 'any') return 'never'
  if (when === 'some') return 'some'
  return emits === 'each' ? 'each' : when
}

/** For each of some nodes, how certain it is that it is evaluated if all others must have outputs. */
function besides(when: Certainty, nodes: readonly Ir[]): readonly Certainty[] {
  const emitted = nodes.map(emitsOf)
  const counts = { some: 0, each: 0, any: 0 }
  for (const emits of emitted) counts[emits]++
  return emitted.map((own) => {
    const others = (emits: Emits) => counts[emits] - (own === emits ? 1 : 0) > 0
    return after(when, others('any') ? 'any' : others('each') ? 'each' : 'some')
  })
}

/** The operands of `and` and `or` that decide with a node. */
function operandsOf(ir: Ir): ReadonlySet<Ir> {
  const operands = new Set<Ir>()
  const pending = [ir]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === 'logic') pending.push(node.left, node.right)
    else operands.add(node)
  }
  return operands
}

const plainness = new WeakMap<Ir, boolean>()

/** Whether a node only reads members and compares. */
function readsOnly(ir: Ir): boolean {
  const known = plainness.get(ir)
  if (known !== undefined) return known
  const isInside = ir.kind !== 'index' || (!ir.optional && ir.key.kind === 'constant')
  const found = plainKinds.has(ir.kind) && isInside && parts(ir).every(readsOnly)
  plainness.set(ir, found)
  return found
}

const plainKinds: ReadonlySet<Ir['kind']> = new Set(['identity', 'constant', 'global', 'variable', 'index', 'binary', 'logic'])
