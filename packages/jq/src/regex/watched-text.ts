import { MatcherInput, type MatcherInputBase } from 're2js'
import { scan, work, type Machine } from '#src/compile/machine.ts'
import { firstPlace } from '#src/text/search.ts'

/** At worst the engine looks at every instruction of the pattern for every character; so many such looks count as a step. */
const looksPerStep = 16
/** Looks are counted in lots of so many steps. */
const stepsPerLot = 64

/**
 * A text that counts how far a search goes in it: each character that is reached for the first time in a search costs as much as the
 * pattern has instructions. Only the engine knows how far it looked, and asks for characters one by one; so a search pays for what it
 * read, however far beyond the match that it gives, and can be interrupted on the way.
 */
export class WatchedText extends String {
  readonly #machine: Machine
  readonly #text: string
  #looks = 0
  #weight = 1
  #reached = -1

  constructor(machine: Machine, text: string) {
    super(text)
    this.#machine = machine
    this.#text = text
  }

  /** Begins a search at a place; `weight` is what a character costs, in instructions looked at. */
  begin(from: number, weight: number): void {
    this.#reached = from - 1
    this.#weight = weight
  }

  override charCodeAt(at: number): number {
    if (at > this.#reached) {
      this.#looks += (at - this.#reached) * this.#weight
      this.#reached = at
      if (this.#looks >= looksPerStep * stepsPerLot) this.#pay()
    }
    return this.#text.charCodeAt(at)
  }

  override indexOf(wanted: string, from = 0): number {
    const at = firstPlace(this.#machine, this.#text, wanted, from)
    scan(this.#machine, ((at < 0 ? this.#text.length : at) - from) >> 2)
    return at
  }

  #pay(): void {
    const steps = Math.floor(this.#looks / looksPerStep)
    this.#looks -= steps * looksPerStep
    work(this.#machine, steps)
  }
}

/** A watched text as the engine takes it. */
export function watchedInput(text: WatchedText): MatcherInputBase {
  // The engine only calls methods of the text, which a `String` has all.
  return MatcherInput.utf16(text)
}
