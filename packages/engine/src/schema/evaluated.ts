/** The result of a schema for a value: whether it fits, and on demand the evaluated members and items. */
export type Known = boolean | Evaluated

/** The properties or items of one value that parts of a schema have looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  all = false
  /** Every item before this index. */
  upTo = 0
  names: Set<string | number> | undefined

  add(name: string | number): void {
    this.names ??= new Set()
    this.names.add(name)
  }

  has(name: string | number): boolean {
    return this.all || (typeof name === 'number' && name < this.upTo) || this.names?.has(name) === true
  }

  /** Adds what another has seen of the same value. Returns how many names were copied. */
  merge(other: Evaluated): number {
    if (this.all) return 0
    this.all = other.all
    this.upTo = Math.max(this.upTo, other.upTo)
    if (other.names === undefined) return 0
    for (const name of other.names) this.add(name)
    return other.names.size
  }
}
