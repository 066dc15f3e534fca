import type { TextChange } from '#src/edit/edit.ts'

/** A correction of one mistake. */
export interface Fix {
  /** What it does, in a few words: `Write "endpoint"`. */
  readonly title: string
  readonly changes: readonly TextChange[]
  /** Whether it can only mean this: a misspelled word, an operator of another language. Others remove or invent something. */
  readonly safe: boolean
}
