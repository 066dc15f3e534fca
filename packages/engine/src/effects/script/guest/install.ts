/** The functions of this file run inside the sandbox: `guest-source.ts` takes their text. They use each other and the language, and nothing else. */

/** All that leads out of the sandbox. Only texts and numbers go through. */
export interface Host {
  /** Takes a text as JSON, which says every character exactly. @returns false when the script has written too much and is at its end. */
  readonly write: (descriptor: number, text: string) => boolean
  /** Says that the script is at its end; the next look at the clock stops it. */
  readonly exit: (code: number) => void
}

type Write = (descriptor: number, text: string) => void

export interface GuestInput {
  readonly stdin: string
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

export interface Formatting {
  readonly inspect: (value: unknown) => string
  readonly format: (values: readonly unknown[]) => string
}

/** The functions that the host calls when the script has ended. */
export interface Ending {
  /** An uncaught error as a JSON text. */
  readonly describe: (error: unknown) => string
  readonly exitCode: () => number
}

/** Gives a script its `console` and `process`. */
export function install(host: Host, input: GuestInput, formatting: Formatting): Ending {
  const { stringify } = JSON
  // It is for threads, and a script has none; Atomics is not there either.
  Reflect.deleteProperty(globalThis, 'SharedArrayBuffer')
  const write = (descriptor: number, text: string) => {
    if (!host.write(descriptor, stringify(text))) stall()
  }
  define(globalThis, 'console', createConsole(write, formatting))
  const process = createProcess(host, write, input)
  define(globalThis, 'process', process)
  define(globalThis, 'queueMicrotask', (task: () => void) => void Promise.resolve().then(task))
  return {
    describe: (error) => stringify(`Uncaught ${formatting.inspect(error)}\n`),
    exitCode: () => Number(Reflect.get(process, 'exitCode') ?? 0),
  }
}

/** Runs until the sandbox looks at the clock and is stopped: nothing of the script may run on. */
export function stall(): never {
  for (;;);
}

/** As the globals of the language are: writable, and not enumerable. */
export function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false })
}

export function createConsole(write: Write, { format, inspect }: Formatting): object {
  // Plain text needs no formatter, which is compiled when it is first used.
  const text = (values: readonly unknown[]) => {
    const [first] = values
    if (typeof first !== 'string') return format(values)
    if (values.length === 1) return first
    return values.every((value) => typeof value === 'string') && !first.includes('%') ? values.join(' ') : format(values)
  }
  const out = (...values: readonly unknown[]) => write(1, `${text(values)}\n`)
  const error = (...values: readonly unknown[]) => write(2, `${text(values)}\n`)
  const assert = (condition: unknown, ...values: readonly unknown[]) => {
    if (!condition) error(...(values.length === 0 ? ['Assertion failed'] : ['Assertion failed:', ...values]))
  }
  return { log: out, info: out, debug: out, dir: (value: unknown) => out(inspect(value)), warn: error, error, assert }
}

export function createProcess(host: Host, write: Write, { stdin, arguments: values, environment }: GuestInput): object {
  const exit = (code?: unknown) => {
    const own: unknown = code ?? Reflect.get(process, 'exitCode') ?? 0
    host.exit(Number(own))
    stall()
  }
  const stream = (fd: number) => ({
    fd,
    write: (text: unknown) => {
      if (typeof text !== 'string') throw new TypeError('The "chunk" argument must be of type string.')
      write(fd, text)
      return true
    },
  })
  const input = {
    fd: 0,
    setEncoding: () => input,
    async *[Symbol.asyncIterator]() {
      if (stdin !== '') yield stdin
    },
  }
  const process: object = {
    argv: ['node', 'script.js', ...values],
    env: { ...environment },
    exitCode: undefined,
    exit,
    stdin: input,
    stdout: stream(1),
    stderr: stream(2),
    getBuiltinModule: (name: unknown) => {
      const bare = String(name).replace(/^node:/, '')
      return bare === 'fs' ? files : bare === 'process' ? process : undefined
    },
  }
  const files = createFiles(stdin)
  return process
}

/** `node:fs` as far as a script has it: its standard input is the only file. */
export function createFiles(stdin: string): object {
  const readFileSync = (path: unknown, options?: unknown) => {
    if (path !== 0 && path !== '/dev/stdin') throw new Error('a script can read no file but its standard input: readFileSync(0)')
    const encoding: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, 'encoding') : options
    const isUtf8 = encoding === undefined || encoding === null || (typeof encoding === 'string' && /^utf-?8$/i.test(encoding))
    if (!isUtf8) throw new TypeError('standard input is read as utf8, and in no other encoding')
    return stdin
  }
  return { readFileSync }
}
