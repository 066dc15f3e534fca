/** What a run is given by its test: the address of the stand-in, and the addresses of two people who may approve. */
export interface Given {
  readonly url: string
  readonly first: string
  readonly second: string
}

/** One run of a template, with its outside world. */
export interface TemplateRun {
  readonly what: string
  readonly parameters: (given: Given) => object
  readonly input: (given: Given) => Json
  /** Responses by method and path; a number is a status. */
  readonly answers?: Readonly<Record<string, unknown>>
  /** What the language model answers. */
  readonly model?: string
  readonly decide?: 'approve' | 'reject'
  readonly event?: object
  readonly output: (given: Given) => object
  /** Title of the error with which it ends. */
  readonly error?: string
  readonly requests?: readonly string[]
  /** Recipients and subjects. */
  readonly mails?: readonly string[]
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
