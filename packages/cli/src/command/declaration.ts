import type { ExitCode } from './exit-code.ts'

export interface OptionSpec {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  /** May be given several times. */
  readonly multiple?: boolean
  /** What stands for the value in the help. */
  readonly value?: string
  readonly summary: string
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** What the help says of a command. */
export interface CommandHelp {
  readonly name: string
  /** Half a line for the list of commands. */
  readonly summary: string
  /** Paragraphs. */
  readonly description: readonly string[]
  /** What stands for the arguments in the help, and how many there may be. */
  readonly operands: { readonly text: string; readonly min: number; readonly max: number }
  readonly options: OptionSpecs
  readonly examples: readonly { readonly line: string; readonly what: string }[]
  /** What the exit codes mean beyond the general. */
  readonly exits: Readonly<Partial<Record<ExitCode, string>>>
}
