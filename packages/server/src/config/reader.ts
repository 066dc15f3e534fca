import { ConfigError, type ConfigFault } from './config-error.ts'
import type { Variable } from './variables.ts'

/** Turns the text of a variable into its value, or throws a Mistake. */
export type Parse<T> = (text: string) => T

/** What a Parse throws; the message says what is wrong and what to write, without the name, which the reader puts before it. */
export class Mistake extends Error {
  override readonly name = 'Mistake'
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads variables one by one and remembers every fault, so that all are reported together. */
export interface Reader {
  /** The variable's value, or `undefined` where it is unset, empty or wrong. */
  optional<T>(name: Variable, parse: Parse<T>): T | undefined
  /** The variable's value, or `fallback`. */
  read<T>(name: Variable, parse: Parse<T>, fallback: T): T
  /** The same for a secret, which may lie in a file that `NAME_FILE` names. */
  secret<T>(name: Variable, fileName: Variable, parse: Parse<T>): T | undefined
  /** The content of the file that the variable names, parsed; the message of a Mistake stands behind the name of the variable. */
  file<T>(name: Variable, parse: Parse<T>): T | undefined
  /** Whether the variable says anything, right or wrong. */
  has(name: Variable): boolean
  fault(name: Variable, message: string): void
  /** Throws a ConfigError when there was any fault. */
  finish(): void
}

/** `readTextFile` throws where it cannot. */
export function createReader(env: Environment, readTextFile: (path: string) => string): Reader {
  const faults: ConfigFault[] = []
  const fault = (name: Variable, message: string) => void faults.push({ name, message })
  const parsed = <T>(name: Variable, text: string, parse: Parse<T>): T | undefined => {
    try {
      return parse(text)
    } catch (error) {
      if (!(error instanceof Mistake)) throw error
      fault(name, error.message)
      return undefined
    }
  }
  const optional = <T>(name: Variable, parse: Parse<T>): T | undefined => {
    const text = textOf(env, name)
    return text === undefined ? undefined : parsed(name, text, parse)
  }
  const file = <T>(name: Variable, parse: Parse<T>): T | undefined => {
    const path = textOf(env, name)
    if (path === undefined) return undefined
    const text = contentOf(path, readTextFile)
    if (!(text instanceof Error) && text !== '') return parsed(name, text, parse)
    fault(
      name,
      text instanceof Error
        ? `cannot be read (${text.message}). Write the path of a file that this user may read.`
        : 'names an empty file.',
    )
    return undefined
  }
  return {
    optional,
    read: (name, parse, fallback) => optional(name, parse) ?? fallback,
    secret(name, fileName, parse) {
      if (textOf(env, fileName) === undefined) return optional(name, parse)
      if (textOf(env, name) !== undefined) {
        fault(fileName, `${name} is set too. Unset one of them.`)
        return undefined
      }
      return file(fileName, parse)
    },
    file,
    has: (name) => textOf(env, name) !== undefined,
    fault,
    finish: () => {
      if (faults.length > 0) throw new ConfigError(faults)
    },
  }
}

function contentOf(path: string, readTextFile: (path: string) => string): string | Error {
  try {
    return readTextFile(path).trim()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** An empty variable counts as unset: that is how Compose files and shells leave one out. */
function textOf(env: Environment, name: Variable): string | undefined {
  const text = env[name]?.trim()
  return text === '' ? undefined : text
}
