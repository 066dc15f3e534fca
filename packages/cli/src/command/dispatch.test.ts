import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Terminal } from '#terminal/terminal.ts'
import { type CliEnd, runCli } from '#testing/cli.ts'
import { defineCommand } from './command.ts'
import { dispatch, type Program } from './dispatch.ts'
import { exitCodes } from './exit-code.ts'
import { Failure } from './failure.ts'

const copy = defineCommand({
  name: 'copy',
  summary: 'Copy things',
  description: ['Copies things from here to there.'],
  operands: { text: 'FROM TO', min: 2, max: 2 },
  options: {
    fast: { type: 'boolean', short: 'f', summary: 'Do it fast.' },
    mode: { type: 'string', value: 'MODE', summary: 'How to do it.' },
    tag: { type: 'string', multiple: true, value: 'TAG', summary: 'What to write on it. '.repeat(8).trim() },
  },
  examples: [{ line: 'millrace copy a b', what: 'Copy a to b.' }],
  exits: { 1: 'nothing was copied' },
  async run({ values, operands }, { stdout }) {
    if (values.mode === 'bad') throw new Failure('The mode is bad.', { hint: 'Take a good one.' })
    if (values.mode === 'bug') throw new Error('a bug')
    stdout.write(JSON.stringify({ values, operands }))
    return exitCodes.ok
  },
})

const program: Program = { version: '1.2.3', commands: [copy] }

async function call(...args: readonly string[]): Promise<CliEnd> {
  const [stdout, stderr] = [new PassThrough().setEncoding('utf8'), new PassThrough().setEncoding('utf8')]
  const terminal: Terminal = {
    stdin: new PassThrough().end(),
    stdout,
    stderr,
    now: () => 0,
    newId: () => 'id',
    onInterrupt: () => () => undefined,
    onIdle: () => () => undefined,
    exit: () => {
      throw new Error('exit')
    },
  }
  const exitCode = await dispatch(program, args, terminal)
  return { exitCode, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') }
}

describe('a command', () => {
  test('a command receives its declared options and operands', async () => {
    const { exitCode, stdout } = await call('copy', '-f', 'a', '--tag', 'x', '--mode=slow', 'b', '--tag=y')
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ values: { fast: true, mode: 'slow', tag: ['x', 'y'] }, operands: ['a', 'b'] })
  })

  test('absent options are false, undefined and an empty list', async () => {
    expect(JSON.parse((await call('copy', 'a', 'b')).stdout)).toEqual({ values: { fast: false, tag: [] }, operands: ['a', 'b'] })
  })

  test('a lone dash is a value or an operand', async () => {
    const { values, operands } = JSON.parse((await call('copy', '--mode', '-', '-', 'b')).stdout)
    expect(values.mode).toBe('-')
    expect(operands).toEqual(['-', 'b'])
  })

  test('everything after -- is an operand, also --help', async () => {
    expect(JSON.parse((await call('copy', '--', '--help', '-f')).stdout).operands).toEqual(['--help', '-f'])
  })

  test('a command that fails prints what happened and what to do on standard error', async () => {
    expect(await call('copy', 'a', 'b', '--mode', 'bad')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'error: The mode is bad.\nhint:  Take a good one.\n',
    })
  })

  test('a bug in a command is thrown, not printed as a message', async () => {
    await expect(call('copy', 'a', 'b', '--mode', 'bug')).rejects.toThrow('a bug')
  })
})

describe('wrong usage ends with 2 and names what is wrong:', () => {
  test.each([
    [['copi'], 'Unknown command "copi". Commands: copy.'],
    [['copy', 'a', 'b', '--fats'], "there is no option '--fats'; there are --fast, --mode, --tag."],
    [['copy', 'a', 'b', '--mode'], /'--mode <value>' argument missing/],
    [['copy', 'a', 'b', '--fast=yes'], /'-f, --fast' does not take an argument/],
    [['copy', 'a'], 'An argument is missing: millrace copy FROM TO'],
    [['copy', 'a', 'b', 'c', 'd'], 'takes FROM TO and not also "c d".'],
  ])('%j', async (args, message) => {
    const { exitCode, stdout, stderr } = await call(...args)
    expect(exitCode).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(message)
    expect(stderr).toContain('--help" shows more.')
  })

  test('no arguments at all', async () => {
    const { exitCode, stderr } = await call()
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Usage: millrace <command>')
  })
})

describe('help', () => {
  test.each([[['copy', '--help']], [['copy', 'a', '-h']], [['help', 'copy']], [['--help', 'copy']]])(
    '%j prints everything about a command',
    async (args) => {
      const { exitCode, stdout } = await call(...args)
      expect(exitCode).toBe(0)
      for (const part of [
        'Usage: millrace copy FROM TO',
        '-f, --fast',
        '--mode MODE',
        '--tag TAG',
        'millrace copy a b',
        '1  nothing was copied',
      ]) {
        expect(stdout).toContain(part)
      }
    },
  )

  test('help fits 80 columns', async () => {
    const { stdout } = await call('copy', '--help')
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('help lists the commands', async () => {
    expect((await call('--help')).stdout).toMatch(/copy +Copy things/)
  })

  test('--version prints one line', async () => {
    expect(await call('--version')).toEqual({ exitCode: 0, stdout: '1.2.3\n', stderr: '' })
  })
})

describe('the real command line', () => {
  test('every command has help with options, examples and exit codes in 80 columns', async () => {
    const { stdout } = await runCli(['--help'])
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name ?? '')
    const remote = ['login', 'deploy', 'rollback', 'executions', 'logs', 'cancel', 'users', 'starts', 'variables']
    expect(commands).toEqual([
      'start',
      'run',
      'validate',
      ...remote,
      'fix',
      'fmt',
      'diff',
      'import',
      'migrate',
      'backup',
      'restore',
      'keys',
      'retention',
      'doctor',
      'verify',
    ])
    const helps = await Promise.all(commands.map((name) => runCli([name, '--help'])))
    for (const help of helps) {
      expect(help.exitCode).toBe(0)
      for (const title of ['Usage:', 'Options:', 'Examples:', 'Exit codes:']) expect(help.stdout).toContain(title)
      for (const line of help.stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
    }
  })

  test('colours are off in a pipe, on when forced, and off with NO_COLOR', async () => {
    const help = (env: Record<string, string>) => runCli(['--help'], { env })
    const [plain, forced, refused] = await Promise.all([help({}), help({ FORCE_COLOR: '1' }), help({ NO_COLOR: '1' })])
    expect(plain.stdout).not.toContain('\u001b')
    expect(forced.stdout).toContain('\u001b[1m')
    expect(refused.stdout).not.toContain('\u001b')
  })
})
