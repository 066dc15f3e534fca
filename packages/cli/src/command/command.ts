import type { Terminal } from '#terminal/terminal.ts'
import type { CommandHelp, OptionSpecs } from './declaration.ts'
import type { ExitCode } from './exit-code.ts'
import { parseArguments } from './parse-arguments.ts'

export type OptionValues<O extends OptionSpecs> = {
  readonly [Name in keyof O]: O[Name]['type'] extends 'boolean'
    ? boolean
    : O[Name] extends { readonly multiple: true }
      ? readonly string[]
      : string | undefined
}

export interface CommandSpec<O extends OptionSpecs> extends CommandHelp {
  readonly options: O
  run(invocation: { readonly values: OptionValues<O>; readonly operands: readonly string[] }, terminal: Terminal): Promise<ExitCode>
}

export interface Command extends CommandHelp {
  /** Runs with the arguments that follow the command's name. */
  run(args: readonly string[], terminal: Terminal): Promise<ExitCode>
}

/** Makes a command whose `run` sees its options with the types that they were declared with. */
export function defineCommand<const O extends OptionSpecs>(spec: CommandSpec<O>): Command {
  return {
    ...spec,
    run(args, terminal) {
      const { values, operands } = parseArguments(spec, args)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Parsed by the very declaration that the type is made from.
      return spec.run({ values: values as OptionValues<O>, operands }, terminal)
    },
  }
}
