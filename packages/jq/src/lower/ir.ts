import type { BinaryOperator } from '#src/syntax/ast.ts'
import type { Value } from '#src/values/value.ts'

/**
 * A program with every name resolved. Bindings live in a linked environment, newest first: `up` says how many links a
 * reference has to follow. `count` is how many outputs a node can have: at most one, or any number.
 */
export type Ir = IrShape & Weight & { readonly count: Count }

/**
 * The cost of a node for each run, beyond the charges of its parts. Most nodes cost nothing; where enough of them
 * come together that no loop or call counts, the node above them all pays, so that a long program is not cheaper than a long loop.
 */
export interface Weight {
  readonly steps: number
  /** Nodes whose steps are not charged yet. */
  readonly unpaid: number
}

/** `name/arity`. */
export type NativeName = `${string}/${number}`

export type Count = 'maybe' | 'many'

export type IrShape =
  | { readonly kind: 'identity' }
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'string'; readonly format: string; readonly parts: readonly (string | Ir)[] }
  | { readonly kind: 'index'; readonly target: Ir; readonly key: Ir; readonly optional: boolean }
  | { readonly kind: 'slice'; readonly target: Ir; readonly from: Ir; readonly to: Ir; readonly optional: boolean }
  | { readonly kind: 'iterate'; readonly target: Ir; readonly optional: boolean }
  | { readonly kind: 'try'; readonly body: Ir; readonly handler: Ir | undefined }
  | { readonly kind: 'negate'; readonly operand: Ir }
  | { readonly kind: 'pipe'; readonly left: Ir; readonly right: Ir }
  | { readonly kind: 'comma'; readonly items: readonly Ir[] }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Ir; readonly right: Ir }
  | { readonly kind: 'logic'; readonly operator: 'and' | 'or'; readonly left: Ir; readonly right: Ir }
  | { readonly kind: 'alternative'; readonly left: Ir; readonly right: Ir }
  | { readonly kind: 'assign'; readonly target: Ir; readonly value: Ir }
  | { readonly kind: 'modify'; readonly target: Ir; readonly update: Ir }
  | { readonly kind: 'if'; readonly condition: Ir; readonly yes: Ir; readonly no: Ir }
  | ({ readonly kind: 'reduce' } & IrLoop)
  | ({ readonly kind: 'foreach'; readonly extract: Ir | undefined } & IrLoop)
  | ({ readonly kind: 'bind'; readonly source: Ir; readonly body: Ir } & IrPatterns)
  | { readonly kind: 'label'; readonly body: Ir }
  | { readonly kind: 'break'; readonly up: number }
  | { readonly kind: 'variable'; readonly up: number }
  | { readonly kind: 'global'; readonly name: string }
  /** `single`: the closure is known to have at most one output. */
  | { readonly kind: 'parameter'; readonly up: number; readonly single: boolean }
  | { readonly kind: 'call'; readonly routine: Routine; readonly up: number; readonly args: readonly Ir[] }
  | { readonly kind: 'native'; readonly name: NativeName; readonly args: readonly Ir[] }
  | { readonly kind: 'array'; readonly body: Ir }
  | { readonly kind: 'object'; readonly entries: readonly IrEntry[] }

export interface IrEntry {
  readonly key: Ir
  /** `undefined` takes the field of the input that the key names. */
  readonly value: Ir | undefined
}

export interface IrPatterns {
  readonly patterns: readonly IrPattern[]
  /** The number of variables of all patterns together; each is one link of the environment. */
  readonly variables: number
}

export interface IrLoop extends IrPatterns {
  readonly source: Ir
  readonly initial: Ir
  readonly update: Ir
}

/** `slot` counts the variables of the binding from the first. */
export type IrPattern =
  | { readonly kind: 'variable'; readonly slot: number }
  | { readonly kind: 'array'; readonly items: readonly IrPattern[] }
  | { readonly kind: 'object'; readonly fields: readonly IrFieldPattern[] }

export interface IrFieldPattern {
  readonly key: Ir
  readonly slot: number | undefined
  readonly value: IrPattern | undefined
}

/** A definition that is called and not copied in: a recursive one, or one met after the copying budget is spent. */
export interface Routine {
  readonly name: string
  readonly count: Count
  /**
   * Places among the arguments whose values the call puts into the environment, after the closures of all of them. Where an argument
   * can have many outputs the list is empty: the body itself binds the values then.
   */
  readonly values: readonly number[]
  body: Ir
}
