import { createPaint } from '#terminal/paint.ts'
import type { Terminal } from '#terminal/terminal.ts'
import type { Command } from './command.ts'
import { type ExitCode, exitCodes } from './exit-code.ts'
import { Failure } from './failure.ts'
import { commandHelp, generalHelp } from './help.ts'

export interface Program {
  readonly version: string
  readonly commands: readonly Command[]
}

/** Runs the command that the arguments name, and prints its failure as a message. */
export async function dispatch(program: Program, args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    return await route(program, args, terminal)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const paint = createPaint(terminal.stderr)
    terminal.stderr.write(`${paint.red('error:')} ${error.message}\n`)
    if (error.hint !== undefined) terminal.stderr.write(`${paint.dim('hint:')}  ${error.hint}\n`)
    return error.exitCode
  }
}

async function route({ version, commands }: Program, args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = args
  const find = (wanted: string | undefined): Command | undefined => commands.find((command) => command.name === wanted)
  const say = (text: string): ExitCode => {
    terminal.stdout.write(`${text}\n`)
    return exitCodes.ok
  }
  const paint = createPaint(terminal.stdout)
  if (name === '--version' || name === '-v') return say(version)
  if (name === '--help' || name === '-h' || name === 'help') {
    const about = find(rest[0])
    return say(about === undefined ? generalHelp(commands, version, paint) : commandHelp(about, paint))
  }
  if (name === undefined) {
    terminal.stderr.write(`${generalHelp(commands, version, createPaint(terminal.stderr))}\n`)
    return exitCodes.usage
  }
  const command = find(name)
  if (command === undefined) {
    const names = commands.map((known) => known.name).join(', ')
    throw new Failure(`Unknown command "${name}". Commands: ${names}.`, {
      exitCode: exitCodes.usage,
      hint: '"millrace --help" shows more.',
    })
  }
  const beforeDashes = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest
  if (beforeDashes.some((arg) => arg === '--help' || arg === '-h')) return say(commandHelp(command, paint))
  return command.run(rest, terminal)
}
