import { randomUUID } from 'node:crypto'
import { PassThrough, Writable } from 'node:stream'
import { dispatch } from '#command/dispatch.ts'
import { program } from '#program'
import type { CliEnd, CliOptions } from '#testing/cli.ts'

/**
 * Runs `millrace` to its end in this process, with the environment of `runCli`: what a command does, in some 20 ms instead of a second. That the
 * process of a command starts, ends and has its exit code, `runCli` shows, once for each command. One at a time: it replaces the environment.
 */
export async function runHere(args: readonly string[], { env = {}, stdin = '' }: Pick<CliOptions, 'env' | 'stdin'> = {}): Promise<CliEnd> {
  const [stdout, stderr] = [collect(), collect()]
  const own = process.env
  process.env = { PATH: own['PATH'], ...env }
  try {
    const exitCode = await dispatch(program, args, {
      stdin: new PassThrough().end(stdin),
      stdout: stdout.stream,
      stderr: stderr.stream,
      now: Date.now,
      newId: randomUUID,
      onInterrupt: () => () => undefined,
      onIdle: () => () => undefined,
      exit: (code) => {
        throw new Error(`the command ended its process with ${code}`)
      },
    })
    return { exitCode, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.env = own
  }
}

function collect() {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    },
  })
  return { stream, text: () => text }
}
