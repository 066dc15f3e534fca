import type { Paint } from '#terminal/paint.ts'
import { wrap } from '#terminal/wrap.ts'
import type { CommandHelp, OptionSpec } from './declaration.ts'
import type { ExitCode } from './exit-code.ts'

const columns = 80

const exitTexts: Readonly<Partial<Record<ExitCode, string>>> = { 0: 'it worked', 1: 'the work failed', 2: 'wrong usage' }

/** The help of one command, for 80 columns. */
export function commandHelp(command: CommandHelp, paint: Paint): string {
  const options = Object.entries(command.options).map(([name, option]): [string, string] => [optionText(name, option), option.summary])
  const exits = Object.entries({ ...exitTexts, ...command.exits })
  const usage = ['millrace', command.name, command.operands.text, '[options]'].filter((part) => part !== '').join(' ')
  return [
    `${paint.bold('Usage:')} ${usage}`,
    ...command.description.map((paragraph) => wrap(paragraph, columns).join('\n')),
    section('Options', rows([...options, ['-h, --help', 'Show this help.']]), paint),
    section(
      'Examples',
      command.examples.flatMap(({ line, what }) => [`  ${line}`, `      ${paint.dim(what)}`]),
      paint,
    ),
    section('Exit codes', rows(exits), paint),
  ].join('\n\n')
}

/** The list of all commands. */
export function generalHelp(commands: readonly CommandHelp[], version: string, paint: Paint): string {
  return [
    `${paint.bold('millrace')} ${version}: workflows that run durably to their end`,
    `${paint.bold('Usage:')} millrace <command> [options]`,
    section('Commands', rows(commands.map(({ name, summary }) => [name, summary])), paint),
    section(
      'Options',
      rows([
        ['-h, --help', 'Show this help, or that of a command.'],
        ['-v, --version', 'Show the version.'],
      ]),
      paint,
    ),
    'Results go to standard output, everything else to standard error. Colours only\non a terminal, and not where NO_COLOR is set.',
  ].join('\n\n')
}

function section(title: string, lines: readonly string[], paint: Paint): string {
  return [paint.bold(`${title}:`), ...lines].join('\n')
}

function optionText(name: string, option: OptionSpec): string {
  const long = option.type === 'string' ? `--${name} ${option.value ?? 'VALUE'}` : `--${name}`
  return option.short === undefined ? `    ${long}` : `-${option.short}, ${long}`
}

/** Two columns, the right one wrapped. */
function rows(pairs: readonly (readonly [string, string])[]): readonly string[] {
  const left = Math.min(28, Math.max(...pairs.map(([name]) => name.length)))
  return pairs.flatMap(([name, text]) => {
    const lines = wrap(text, columns - left - 4)
    const indent = ' '.repeat(left + 4)
    const rest = lines.slice(1).map((line) => `${indent}${line}`)
    if (name.length > left) return [`  ${name}`, `${indent}${lines[0] ?? ''}`, ...rest]
    return [`  ${name.padEnd(left)}  ${lines[0] ?? ''}`, ...rest]
  })
}
