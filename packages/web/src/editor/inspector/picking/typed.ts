/** A text with a caret or a selection. */
export interface Typed {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** A text after an insertion, with the caret behind what was inserted. */
export interface Inserted {
  readonly text: string
  readonly caret: number
}

/**
 * What the language does with a text: evaluates it only if it is `${ … }`, evaluates it always, or decides by it. A number has no text around it. An address
 * and what follows the address of a connection are texts in which a value must not lead elsewhere.
 */
export type TextUse = 'text' | 'number' | 'expression' | 'condition' | 'address' | 'path'
