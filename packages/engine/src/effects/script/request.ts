import { standardError } from '#core/error.ts'
import { isObject, type Json } from '#core/json.ts'
import { bytesText, type ScriptLimits } from './limits.ts'
import type { ScriptRun } from './messages.ts'

export type ScriptReturn = 'stdout' | 'stderr' | 'code' | 'all' | 'none'

export interface ScriptRequest {
  readonly run: ScriptRun
  readonly returns: ScriptReturn
}

const returnModes: readonly ScriptReturn[] = ['stdout', 'stderr', 'code', 'all', 'none']

/**
 * The evaluated `run.script` and its `return` as a run. What is no text is handed over as JSON: a script can read nothing but text.
 * Raises a configuration error for what no evaluation can give, a validation error for data that does not fit.
 */
export function scriptRequest(given: Json, limits: ScriptLimits): ScriptRequest {
  const { language, code, stdin, arguments: values, environment, return: returns } = isObject(given) ? given : {}
  if (language !== 'js' && language !== 'javascript')
    throw standardError('configuration', `this installation runs scripts in "js", and not in ${JSON.stringify(language)}`)
  if (typeof code !== 'string') throw standardError('configuration', 'a script needs its code as a text')
  if (code.includes('\0')) throw standardError('configuration', 'the code of a script cannot have the character U+0000 in it')
  checkSize('the code of the script', Buffer.byteLength(code), limits.codeBytes)
  const run = { code, stdin: inputText(stdin), arguments: argumentTexts(values), environment: environmentTexts(environment) }
  const texts = [run.stdin, ...run.arguments, ...Object.entries(run.environment).flat()]
  const size = texts.reduce((total, text) => total + Buffer.byteLength(text), 0)
  checkSize('what the script is given (standard input, arguments and environment)', size, limits.inputBytes)
  return { run, returns: returnMode(returns) }
}

function checkSize(what: string, size: number, max: number): void {
  if (size > max) throw standardError('validation', `${what} has ${bytesText(size)}, and may have ${bytesText(max)}`)
}

function inputText(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return asText(value)
}

function argumentTexts(values: Json | undefined): readonly string[] {
  if (values === undefined || values === null) return []
  if (!Array.isArray(values)) throw standardError('validation', 'the arguments of a script have to be a list')
  return values.map(asText)
}

function environmentTexts(environment: Json | undefined): Readonly<Record<string, string>> {
  if (environment === undefined || environment === null) return {}
  if (!isObject(environment)) throw standardError('validation', 'the environment of a script has to be an object')
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, asText(value)]))
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function returnMode(value: Json | undefined): ScriptReturn {
  const mode = returnModes.find((one) => one === (value ?? 'stdout'))
  if (mode === undefined) throw standardError('configuration', `"return" of a script is one of ${returnModes.join(', ')}`)
  return mode
}
