import type { Span } from '#src/errors.ts'
import type { Value } from '#src/values/value.ts'

export type Arithmetic = '+' | '-' | '*' | '/' | '%'
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='
export type BinaryOperator = Arithmetic | Comparison
export type UpdateOperator = '=' | '|=' | '//=' | `${Arithmetic}=`

export interface Parameter extends Span {
  readonly name: string
  /** `$name`: the argument is evaluated first and the body runs once for each of its outputs. */
  readonly byValue: boolean
}

export interface Definition extends Span {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly body: Node
}

export type Pattern =
  | ({ readonly kind: 'variable'; readonly name: string } & Span)
  | ({ readonly kind: 'array'; readonly items: readonly Pattern[] } & Span)
  | ({ readonly kind: 'object'; readonly fields: readonly FieldPattern[] } & Span)

export interface FieldPattern {
  readonly key: Node
  /** `{$name}` and `{$name: pattern}` bind the field itself too. */
  readonly variable: string | undefined
  readonly value: Pattern | undefined
}

export interface ObjectEntry {
  readonly key: Node
  /** `undefined` for the short forms, which take the field of the input that the key names. */
  readonly value: Node | undefined
}

export interface Loop extends Span {
  readonly source: Node
  readonly patterns: readonly Pattern[]
  readonly initial: Node
  readonly update: Node
}

/** The syntax of a program; every node carries the UTF-16 span that it was read from. */
export type Node =
  | ({ readonly kind: 'identity' } & Span)
  | ({ readonly kind: 'literal'; readonly value: Value } & Span)
  | ({ readonly kind: 'string'; readonly format: string | undefined; readonly parts: readonly (string | Node)[] } & Span)
  | ({ readonly kind: 'format'; readonly name: string } & Span)
  | ({ readonly kind: 'index'; readonly target: Node; readonly key: Node; readonly optional: boolean } & Span)
  | ({ readonly kind: 'slice'; readonly target: Node; readonly from: Node; readonly to: Node; readonly optional: boolean } & Span)
  | ({ readonly kind: 'iterate'; readonly target: Node; readonly optional: boolean } & Span)
  | ({ readonly kind: 'try'; readonly body: Node; readonly handler: Node | undefined } & Span)
  | ({ readonly kind: 'negate'; readonly operand: Node } & Span)
  | ({ readonly kind: 'pipe'; readonly left: Node; readonly right: Node } & Span)
  | ({ readonly kind: 'comma'; readonly items: readonly Node[] } & Span)
  | ({ readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Node; readonly right: Node } & Span)
  | ({ readonly kind: 'logic'; readonly operator: 'and' | 'or'; readonly left: Node; readonly right: Node } & Span)
  | ({ readonly kind: 'alternative'; readonly left: Node; readonly right: Node } & Span)
  | ({ readonly kind: 'update'; readonly operator: UpdateOperator; readonly target: Node; readonly value: Node } & Span)
  | ({ readonly kind: 'if'; readonly condition: Node; readonly yes: Node; readonly no: Node } & Span)
  | ({ readonly kind: 'reduce' } & Loop)
  | ({ readonly kind: 'foreach'; readonly extract: Node | undefined } & Loop)
  | ({ readonly kind: 'define'; readonly definition: Definition; readonly body: Node } & Span)
  | ({ readonly kind: 'bind'; readonly source: Node; readonly patterns: readonly Pattern[]; readonly body: Node } & Span)
  | ({ readonly kind: 'label'; readonly name: string; readonly body: Node } & Span)
  | ({ readonly kind: 'break'; readonly name: string } & Span)
  | ({ readonly kind: 'variable'; readonly name: string } & Span)
  | ({ readonly kind: 'call'; readonly name: string; readonly args: readonly Node[] } & Span)
  | ({ readonly kind: 'array'; readonly body: Node | undefined } & Span)
  | ({ readonly kind: 'object'; readonly entries: readonly ObjectEntry[] } & Span)
