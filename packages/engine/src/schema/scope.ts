import type { Json, JsonObject } from '#core/json.ts'
import type { Known } from './evaluated.ts'

/** A part of a document with an address of its own: the whole, or a schema with an `$id`. */
export interface Resource {
  readonly uri: string
  readonly root: Json
  readonly anchors: Map<string, JsonObject>
  readonly dynamicAnchors: Map<string, JsonObject>
}

/** The resources that a validation has come through, outermost first, each once: what `$dynamicRef` goes by. */
export class Scope {
  readonly resources: readonly Resource[]
  readonly #known = new Map<object, Map<Json, Known>>()
  readonly #inner = new Map<Resource, Scope>()

  constructor(resources: readonly Resource[]) {
    this.resources = resources
  }

  /** The scope within one more resource. One that was entered before adds nothing, since the outermost decides. */
  within(resource: Resource): Scope {
    if (this.resources.includes(resource)) return this
    const known = this.#inner.get(resource)
    if (known !== undefined) return known
    const inner = new Scope([...this.resources, resource])
    this.#inner.set(resource, inner)
    return inner
  }

  /** Results for values in this scope, by schema. */
  knownOf(node: object): Map<Json, Known> {
    const known = this.#known.get(node) ?? new Map<Json, Known>()
    this.#known.set(node, known)
    return known
  }
}
