import { ConfigError, type ConfigFault } from './config-error.ts'
import type { Variable } from './variables.ts'

/** Converts the text of a variable to its value, or throws a Mistake. */
export type Parse<T> = (text: string) => T

/** An invalid value. The message states the problem and the correction; the reader puts the name of the variable before it. */
export class Mistake extends Error {
  override readonly name = 'Mistake'
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads variables and collects their faults, so that all are reported together. */
export interface Reader {
  /** The value of a variable, or `undefined` when it is unset, empty or invalid. */
  optional<T>(name: Variable, parse: Parse<T>): T | undefined
  /** The value of a variable, or `fallback`. */
  read<T>(name: Variable, parse: Parse<T>, fallback: T): T
  /** The value of a secret, which may be in a file named by `NAME_FILE`. */
  secret<T>(name: Variable, fileName: Variable, parse: Parse<T>): T | undefined
  /** The parsed content of the file that a variable names; faults are reported under the name of the variable. */
  file<T>(name: Variable, parse: Parse<T>): T | undefined
  /** Whether a variable has a value, valid or not. */
  has(name: Variable): boolean
  fault(name: Variable, message: string): void
  /** Throws a ConfigError when there was any fault. */
  finish(): void
}

/** `readTextFile` throws when the file cannot be read. */
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

/** An empty variable counts as unset: Compose files and shells leave a variable out this way. */
function textOf(env: Environment, name: Variable): string | undefined {
  const text = env[name]?.trim()
  return text === '' ? undefined : text
}
