import { parseArgs } from 'node:util'
import type { CommandHelp } from './declaration.ts'
import { messageOf, systemCodeOf, usageFailure } from './failure.ts'

type Value = string | boolean | readonly string[] | undefined

interface Parsed {
  readonly values: Readonly<Record<string, Value>>
  readonly operands: readonly string[]
}

/** Reads the arguments of a command as it declares them. Throws a usage failure that names what does not fit. */
export function parseArguments(command: CommandHelp, args: readonly string[]): Parsed {
  const parsed = parse(command, args)
  const { min, max, text } = command.operands
  if (parsed.positionals.length < min) throw usageFailure(`An argument is missing: millrace ${command.name} ${text}`, helpHint(command))
  if (parsed.positionals.length > max) {
    const surplus = parsed.positionals.slice(max).join(' ')
    throw usageFailure(`millrace ${command.name} takes ${max === 0 ? 'no arguments' : text} and not also "${surplus}".`, helpHint(command))
  }
  const values = Object.entries(command.options).map(([name, option]): [string, Value] => {
    const value = parsed.values[name]
    if (option.type === 'boolean') return [name, value === true]
    return [name, option.multiple === true ? textsIn(value) : textsIn(value)[0]]
  })
  return { values: Object.fromEntries(values), operands: parsed.positionals }
}

function parse(command: CommandHelp, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type, short, multiple = false }]) => [
      name,
      { type, multiple, ...(short === undefined ? {} : { short }) },
    ]),
  )
  try {
    return parseArgs({ args: joinDashes(command, args), options, allowPositionals: true, strict: true })
  } catch (error) {
    throw usageFailure(`millrace ${command.name}: ${explain(error, command)}`, helpHint(command))
  }
}

/** `--input -` means standard input, but parseArgs takes a lone dash after an option for something else. */
function joinDashes(command: CommandHelp, args: readonly string[]): string[] {
  const joined: string[] = []
  for (const arg of args) {
    const before = joined.at(-1)
    const takesValue = before?.startsWith('--') === true && command.options[before.slice(2)]?.type === 'string'
    if (arg === '-' && takesValue) joined[joined.length - 1] = `${before}=-`
    else joined.push(arg)
  }
  return joined
}

function explain(error: unknown, command: CommandHelp): string {
  const message = messageOf(error)
  const [quoted] = /'[^']+'/.exec(message) ?? []
  switch (systemCodeOf(error)) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION': {
      const known = Object.keys(command.options).map((name) => `--${name}`)
      return `there is no option ${quoted ?? ''}; there are ${known.join(', ')}.`
    }
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      return `${message.split('\n')[0]?.replace(/\.?$/, '.')}`
    default:
      return message
  }
}

function helpHint(command: CommandHelp): string {
  return `"millrace ${command.name} --help" shows more.`
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
