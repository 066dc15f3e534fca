import type { Json, JsonObject } from '@millrace/engine'
import { isObject, SECRET_LENGTH_MIN, unmaskableIn } from '@millrace/engine/definition'
import { usageFailure } from '#command/failure.ts'
import type { WorkflowBundle } from '#definitions/workflow-bundle.ts'
import { readText } from '#definitions/read-text.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { parseData } from './read-input.ts'

export interface SecretOptions {
  /** `name=value` each. */
  readonly secrets: readonly string[]
  /** YAML or JSON: an object of names and values. */
  readonly secretsFile: string | undefined
}

/** The given secrets; those of the command line take precedence over those of the file. */
export async function readSecrets({ secrets, secretsFile }: SecretOptions, stdin: Terminal['stdin']): Promise<JsonObject> {
  const fromFile = secretsFile === undefined ? {} : await readSecretsFile(secretsFile, stdin)
  return { ...fromFile, ...Object.fromEntries(secrets.map(readPair)) }
}

async function readSecretsFile(path: string, stdin: Terminal['stdin']): Promise<JsonObject> {
  const values = parseData(await readText(path, stdin, 'secrets'), path)
  if (isObject(values)) return values
  throw usageFailure(`${path}: expected an object of names and values, such as "token: abc".`)
}

function readPair(text: string): [string, Json] {
  const equals = text.indexOf('=')
  // The value may be the secret itself, so it is not repeated.
  if (equals < 1) throw usageFailure('--secret needs name=value, such as --secret token=abc.')
  return [text.slice(0, equals), text.slice(equals + 1)]
}

/** A warning about secrets that are too short to be masked in the printed text; undefined if every secret can be masked. */
export function warningOfUnmasked(secrets: JsonObject): string | undefined {
  const short = unmaskableIn(secrets)
  if (short.length === 0) return undefined
  return `secrets of fewer than ${SECRET_LENGTH_MIN} characters are not masked in the printed text: ${short.join(', ')}`
}

/** Throws when a workflow lists secrets that were not given. */
export function requireSecrets({ members }: WorkflowBundle, secrets: JsonObject): void {
  for (const { checked, workflow } of members) {
    const missing = workflow.secrets.filter((name) => !Object.hasOwn(secrets, name))
    const [first] = missing
    if (first === undefined) continue
    const plural = missing.length === 1 ? 'the secret' : 'the secrets'
    throw usageFailure(
      `${checked.file} uses ${plural} ${missing.join(', ')}, which ${missing.length === 1 ? 'was' : 'were'} not given.`,
      `Give ${missing.length === 1 ? 'it' : 'them'} with --secret ${first}=VALUE or in a file with --secrets-file FILE.`,
    )
  }
}
