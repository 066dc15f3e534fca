import { dataParseLimits, parseDefinition } from '@millrace/dsl'
import type { Json, JsonObject } from '@millrace/engine'
import { isObject } from '@millrace/engine/definition'
import { type Failure, messageOf, usageFailure } from '#command/failure.ts'
import { readText, standardInput } from '#definitions/read-text.ts'
import type { Terminal } from '#terminal/terminal.ts'

const pair = /^([A-Za-z_$][\w.$-]*)=(.*)$/s

/**
 * The input of a run out of the values of `--input`: JSON, `@file` (YAML or JSON), `-` for standard input, or `key=value`.
 * Several are merged, later ones over earlier ones; without any the input is an empty object.
 */
export async function readInput(values: readonly string[], stdin: Terminal['stdin']): Promise<Json> {
  if (values.filter((value) => value === standardInput).length > 1) {
    throw usageFailure('--input - was given twice; standard input can be read only once.')
  }
  const parts = await Promise.all(values.map((value) => readPart(value, stdin)))
  const [first] = parts
  if (parts.length === 1 && first !== undefined) return first
  return Object.fromEntries(parts.flatMap((part, index) => Object.entries(mergeable(part, values[index] ?? ''))))
}

function mergeable(part: Json, value: string): JsonObject {
  if (isObject(part)) return part
  throw usageFailure(`--input ${value}: several --input values can be merged only if each is an object.`)
}

async function readPart(value: string, stdin: Terminal['stdin']): Promise<Json> {
  if (value === standardInput) return parseData(await readText(value, stdin, 'the input'), 'standard input')
  if (value.startsWith('@')) return parseData(await readText(value.slice(1), stdin, 'the input'), value.slice(1))
  const [, key, text] = pair.exec(value) ?? []
  if (key !== undefined && text !== undefined) {
    if (key.includes('.')) throw dotted(key, text)
    return { [key]: parseScalar(text) }
  }
  try {
    return parseJson(value)
  } catch (error) {
    throw usageFailure(
      `--input ${value}: this is neither JSON (${messageOf(error)}) nor key=value.`,
      /\.(?:json|ya?ml)$/i.test(value)
        ? `Write --input @${value} to read the file.`
        : 'Write --input \'{"name":"Ada"}\', --input name=Ada, --input @file, or --input - for standard input.',
    )
  }
}

/** A name with a dot may mean a property with this name, or one of an object in the input. */
function dotted(key: string, text: string): Failure {
  const value = parseScalar(text)
  const nested = key.split('.').reduceRight<Json>((inner, name) => ({ [name]: inner }), value)
  return usageFailure(
    `--input ${key}=${text}: a name before = has no dots.`,
    `Write --input '${JSON.stringify(nested)}', or --input '${JSON.stringify({ [key]: value })}' for a name with dots.`,
  )
}

/** YAML or JSON data out of a file, which has to be JSON when its name says so. */
export function parseData(text: string, name: string): Json {
  if (text.trim() === '') throw usageFailure(`${name} is empty; expected JSON or YAML.`)
  const { document, diagnostics } = parseDefinition(text, {
    limits: dataParseLimits,
    ...(name.toLowerCase().endsWith('.json') ? { format: 'json' } : {}),
  })
  const [problem] = diagnostics
  if (problem !== undefined) throw usageFailure(`${name}:${problem.line}:${problem.column}: ${problem.message}`, problem.hint)
  return document ?? null
}

/** `5`, `true` and `"5"` mean what they mean in JSON; everything else is text. */
function parseScalar(text: string): Json {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

function parseJson(text: string): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse gives nothing else.
  return JSON.parse(text) as Json
}
