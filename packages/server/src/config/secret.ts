import { inspect } from 'node:util'

const shown = '[secret]'

/** A value that cannot be logged, printed or serialised by accident: only `reveal()` returns it, everything else yields `[secret]`. */
export class Secret<T = string> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
    Object.freeze(this)
  }

  /** The value. Call it where the value is used, and pass the Secret until then. */
  reveal(): T {
    return this.#value
  }

  toString(): string {
    return shown
  }

  toJSON(): string {
    return shown
  }

  [inspect.custom](): string {
    return shown
  }
}
