import { isArray, type Json, type JsonObject } from '#core/json.ts'
import { pointerSegment } from '#core/json-pointer.ts'
import { keySteps } from './canonical.ts'
import { Evaluated } from './evaluated.ts'
import { compileRules } from './keywords/compile-rules.ts'
import type { Node, Rule, Rules } from './rule.ts'
import type { Run } from './run.ts'
import { SchemaError } from './schema-error.ts'
import type { Resource } from './scope.ts'

/** The document that a schema is part of. */
interface Document {
  readonly isDynamic: boolean
  node(within: Resource, schema: Json, place: () => string): Node
  resolve(from: Resource, to: string): { readonly resource: Resource; readonly schema: Json }
}

/** One schema of a document, compiled when it is first applied. */
export class SchemaNode implements Node {
  readonly schema: JsonObject | boolean
  readonly #document: Document
  readonly #resource: Resource
  /** Where it is in the document, for messages about the schema itself. */
  readonly #place: () => string
  /** Whether several ways lead to it, so that one value may meet it more than once. */
  readonly #isShared: boolean
  #rules: Rules | undefined

  constructor(document: Document, resource: Resource, schema: JsonObject | boolean, place: () => string, isShared: boolean) {
    this.schema = schema
    this.#document = document
    this.#resource = resource
    this.#place = place
    this.#isShared = isShared
  }

  visit(value: Json, run: Run, seen: Evaluated | undefined, at: string | undefined): boolean {
    run.charge(1)
    if (typeof this.schema === 'boolean') return this.schema || (at !== undefined && run.report(at, 'is not allowed'))
    run.enter()
    const outer = run.scope
    if (this.#document.isDynamic) run.scope = outer.within(this.#resource)
    const own = typeof value === 'object' ? seen : undefined
    const fits = this.#isShared ? this.#recall(value, run, own, at) : this.#apply(value, run, own, at)
    run.scope = outer
    run.depth -= 1
    return fits
  }

  child(schema: Json, ...names: readonly (string | number)[]): Node {
    return this.#document.node(this.#resource, schema, () => this.placeOf(...names))
  }

  follow(to: string): Node {
    const { resource, schema } = this.#document.resolve(this.#resource, to)
    return this.#document.node(resource, schema, () => to.replace(/^[^#]*#?/, ''))
  }

  across(resource: Resource, schema: Json): Node {
    return this.#document.node(resource, schema, () => '')
  }

  member(keyword: string): Json | undefined {
    return typeof this.schema === 'object' && Object.hasOwn(this.schema, keyword) ? this.schema[keyword] : undefined
  }

  placeOf(...names: readonly (string | number)[]): string {
    return names.reduce<string>((place, name) => `${place}/${pointerSegment(String(name))}`, this.#place())
  }

  refuse(keyword: string, must: string): never {
    throw new SchemaError(`${this.placeOf(keyword)} must be ${must}`)
  }

  /** Results for a value are cached; a fault is reported once for each place. */
  #recall(value: Json, run: Run, seen: Evaluated | undefined, at: string | undefined): boolean {
    run.charge(3 + (typeof value === 'string' ? keySteps(value) : 0))
    const all = run.scope.knownOf(this)
    let known = all.get(value)
    if (known === undefined || (known === true && seen !== undefined)) {
      const own = seen === undefined ? undefined : new Evaluated()
      known = this.#apply(value, run, own, undefined) && (own ?? true)
      all.set(value, known)
    }
    if (known === false) {
      if (at !== undefined && run.explainOnce(this, at)) this.#apply(value, run, undefined, at)
      return false
    }
    if (typeof known === 'object' && seen !== undefined) run.charge(seen.merge(known))
    return true
  }

  /** The loops are written out, since each frame between two schemas takes from the depth that values can have. */
  #apply(value: Json, run: Run, seen: Evaluated | undefined, at: string | undefined): boolean {
    this.#rules ??= compileRules(this)
    const { any, string, number, array, object, unevaluated } = this.#rules
    // A schema with `unevaluated…` ignores the evaluations of the schemas around it.
    const own = unevaluated.length === 0 ? seen : new Evaluated()
    let fits = true
    for (const rule of any) {
      if (rule(value, run, own, at)) continue
      if (at === undefined || run.isFull) return false
      fits = false
    }
    if (typeof value === 'string') return passesRules(string, value, run, at) && fits
    if (typeof value === 'number') return passesRules(number, value, run, at) && fits
    if (typeof value === 'boolean' || value === null) return fits
    if (isArray(value)) {
      for (const rule of array) {
        if (rule(value, run, own, at)) continue
        if (at === undefined || run.isFull) return false
        fits = false
      }
    } else {
      for (const rule of object) {
        if (rule(value, run, own, at)) continue
        if (at === undefined || run.isFull) return false
        fits = false
      }
    }
    if (!fits) return false
    for (const rule of unevaluated) if (!rule(value, run, own, at)) fits = false
    if (fits && own !== seen && own !== undefined && seen !== undefined) run.charge(seen.merge(own))
    return fits
  }
}

function passesRules<V extends Json>(rules: readonly Rule<V>[], value: V, run: Run, at: string | undefined): boolean {
  let fits = true
  for (const rule of rules) if (!rule(value, run, undefined, at)) fits = false
  return fits
}
