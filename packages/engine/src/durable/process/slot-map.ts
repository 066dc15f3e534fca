/**
 * A map for many short-lived values. A Map that is rehashed leaves its old table with a pointer to the new one, so once V8 has moved one table to
 * the old generation, every later table and all values in it stay until the next major garbage collection. Here the tables contain numbers, and
 * the values are in an array, whose slots are reused.
 */
export class SlotMap<V extends object> {
  readonly #slotOf = new Map<string, number>()
  readonly #values: (V | undefined)[] = []
  readonly #free: number[] = []

  get size(): number {
    return this.#slotOf.size
  }

  get(key: string): V | undefined {
    const slot = this.#slotOf.get(key)
    return slot === undefined ? undefined : this.#values[slot]
  }

  set(key: string, value: V): void {
    const slot = this.#slotOf.get(key) ?? this.#free.pop() ?? this.#values.length
    this.#slotOf.set(key, slot)
    this.#values[slot] = value
  }

  delete(key: string): void {
    const slot = this.#slotOf.get(key)
    if (slot === undefined) return
    this.#slotOf.delete(key)
    this.#values[slot] = undefined
    this.#free.push(slot)
  }

  keys(): Iterable<string> {
    return this.#slotOf.keys()
  }

  /** The values at this moment; later changes do not affect the list. */
  values(): readonly V[] {
    return this.#values.filter((value) => value !== undefined)
  }
}
