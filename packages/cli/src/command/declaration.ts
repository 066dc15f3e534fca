import type { ExitCode } from './exit-code.ts'

export interface OptionSpec {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  /** May be given several times. */
  readonly multiple?: boolean
  /** The placeholder for the value in the help. */
  readonly value?: string
  readonly summary: string
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** The description of a command in the help. */
export interface CommandHelp {
  readonly name: string
  /** Half a line for the list of commands. */
  readonly summary: string
  /** Paragraphs. */
  readonly description: readonly string[]
  /** The placeholder for the arguments in the help, and their number. */
  readonly operands: { readonly text: string; readonly min: number; readonly max: number }
  readonly options: OptionSpecs
  readonly examples: readonly { readonly line: string; readonly what: string }[]
  /** The meaning of exit codes that is specific to the command. */
  readonly exits: Readonly<Partial<Record<ExitCode, string>>>
}
