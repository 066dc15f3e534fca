import type { Json, JsonObject } from '#src/json.ts'

/** Tasks that follow each other in one list: the pointer of the list, the index of the first, and how many. */
export interface TaskRange {
  readonly list: string
  readonly from: number
  readonly count: number
}

/** A text that names a member, and what replaces the name. */
export interface TextUse {
  readonly pointer: string
  readonly pieces: readonly { readonly start: number; readonly end: number; readonly insert: string }[]
}

/** What a person or a program wants to change; pointers are those of the document before the edit. */
export type Edit =
  /** Puts tasks, each an object with its name as only key, in front of index `at`; names that are taken get a number. */
  | { readonly kind: 'insert'; readonly list: string; readonly at: number; readonly tasks: readonly JsonObject[] }
  | ({ readonly kind: 'remove' } & TaskRange)
  /** `at` is an index of the list `to` before the edit. */
  | ({ readonly kind: 'move'; readonly to: string; readonly at: number } & TaskRange)
  /** Renames a task and what refers to it: `then`, cases, and `$steps` in expressions. */
  | { readonly kind: 'rename'; readonly task: string; readonly name: string }
  /** Sets a value; objects around it that are missing are made. Only what differs from the value before is written. */
  | { readonly kind: 'set'; readonly pointer: string; readonly value: Json }
  | { readonly kind: 'unset'; readonly pointer: string }
  /** Gives a member of an object another name, in its place. What refers to it changes only where `uses` says so. */
  | { readonly kind: 'renameMember'; readonly pointer: string; readonly name: string; readonly uses?: readonly TextUse[] }
  /** Lets a member of an object and the one before or behind it change places. */
  | { readonly kind: 'moveMember'; readonly pointer: string; readonly by: 1 | -1 }
  /** Puts tasks into a new task; in a fork each becomes a branch. */
  | ({ readonly kind: 'wrap'; readonly in: 'do' | 'for' | 'fork' | 'try'; readonly name: string } & TaskRange)
  /** Puts the tasks of a task in its place; of a `try` those of `try`. */
  | { readonly kind: 'unwrap'; readonly task: string }
  | ({ readonly kind: 'duplicate' } & TaskRange)
  /** A disabled task is skipped: `if: ${ false }`, its own condition kept in `metadata.disabled`. */
  | { readonly kind: 'disable' | 'enable'; readonly task: string }
  /** Makes the tasks a function of `use.functions` with this name, and calls it in their place. */
  | ({ readonly kind: 'extract'; readonly name: string } & TaskRange)
  /** Makes the document equal to another one and keeps the text of everything that is equal. */
  | { readonly kind: 'replace'; readonly document: Json }

/** The replacement of a stretch of the text before; changes do not overlap and are in order. */
export interface TextChange {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** Why an edit cannot be done. */
export interface EditFault {
  readonly code: 'unreadable' | 'not_found' | 'name_taken' | 'not_possible' | 'outer_reference' | 'unsafe'
  readonly message: string
}

export interface Edited {
  readonly changes: readonly TextChange[]
  /** The pointer to select afterwards. */
  readonly selection: string
  /** A sentence for the history: "Moved pay into /do/2/big/do". */
  readonly title: string
  /** The document after the edit. */
  readonly document: Json
}

export type EditResult = Edited | { readonly fault: EditFault }
