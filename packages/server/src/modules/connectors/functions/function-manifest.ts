import { type FunctionManifest, isObject, itemsOf, type Json, type JsonObject, membersOf } from '@millrace/engine'
import { isObjectAt, namedOperations } from './function-names.ts'
import { objectAt } from './pointer.ts'
import { createSchemaCopier, type SchemaBudget } from './self-contained.ts'

/** The argument that names a connection of the account. */
export const connectionArgument: JsonObject = {
  type: 'string',
  pattern: '^[a-z][a-z0-9-]{0,62}$',
  description: 'Name of the connection to use.',
}

/** Whether a function with this input cannot be called without a connection. */
export function needsConnection(input: JsonObject): boolean {
  return itemsOf(input['required']).includes('connection')
}

/** The input of a function as a model gets it: without its connection, which the caller cannot choose, and without the words for people. */
export function withoutConnection({ required, properties, ...rest }: JsonObject): JsonObject {
  const { connection: _fixed, ...others } = membersOf(properties)
  const needed = itemsOf(required).filter((name) => name !== 'connection')
  const standard = Object.fromEntries(Object.entries(others).map(([name, schema]) => [name, withoutWords(schema)]))
  return { ...rest, type: 'object', properties: standard, ...(needed.length === 0 ? {} : { required: needed }) }
}

/** Some providers of models refuse keywords that JSON Schema does not have. */
function withoutWords(schema: Json): Json {
  if (!isObject(schema)) return schema
  const { patternErrorMessage: _words, ...standard } = schema
  return standard
}

interface Argument {
  readonly name: string
  readonly schema: Json
  readonly required: boolean
}

type Copier = ReturnType<typeof createSchemaCopier>

type Named = ReturnType<typeof namedOperations>[number]

/** A definition may call hundreds of functions of one document, which is the same object for all of them. */
const indexed = new WeakMap<JsonObject, ReadonlyMap<string, Named>>()

function operationsOf(root: JsonObject): ReadonlyMap<string, Named> {
  const known = indexed.get(root)
  if (known !== undefined) return known
  const operations = new Map(namedOperations(root).map((operation) => [operation.name, operation]))
  indexed.set(root, operations)
  return operations
}

/** What an operation of an OpenAPI document takes, as a function. @returns undefined if there is no such operation. */
export function manifestOf(
  connector: string,
  root: JsonObject,
  name: string,
  { version }: { readonly version: string },
  budget: SchemaBudget,
): FunctionManifest | undefined {
  const found = operationsOf(root).get(name)
  if (found === undefined) return undefined
  const { operation, item, summary } = found
  const copier = createSchemaCopier(root, budget)
  const parameters = parameterArguments(root, item, operation, copier)
  const taken = new Set(parameters.map((argument) => argument.name))
  const args = [...parameters, ...bodyArguments(root, operation, copier).filter((argument) => !taken.has(argument.name))]
  const isConnectionNeeded = needsCredentials(root, operation) || !hasServer(root)
  const required = [
    ...(isConnectionNeeded ? ['connection'] : []),
    ...args.filter((argument) => argument.required).map((argument) => argument.name),
  ]
  return {
    name: `${connector}.${name}`,
    version,
    summary,
    performs: 'effect',
    input: copier.complete({
      type: 'object',
      additionalProperties: false,
      ...(required.length === 0 ? {} : { required }),
      properties: { connection: connectionArgument, ...Object.fromEntries(args.map((argument) => [argument.name, argument.schema])) },
    }),
    output: outputOf(root, operation, budget),
  }
}

function parameterArguments(root: JsonObject, item: JsonObject, operation: JsonObject, { copy }: Copier): readonly Argument[] {
  const given = [...itemsOf(item['parameters']), ...itemsOf(operation['parameters'])]
    .map((value) => objectAt(root, value))
    .filter((parameter) => parameter !== undefined)
  // The parameters of an operation replace those of its path.
  const byPlace = new Map(given.map((parameter) => [`${textAt(parameter, 'in')}.${textAt(parameter, 'name')}`, parameter]))
  const named = [...byPlace.values()].filter((parameter) => !isSetByClient(parameter))
  const counts = Map.groupBy(named, (parameter) => textAt(parameter, 'name'))
  return named.map((parameter) => {
    const [name, place] = [textAt(parameter, 'name'), textAt(parameter, 'in')]
    const isAmbiguous = (counts.get(name)?.length ?? 0) > 1 || name === 'connection'
    const schema =
      parameter['schema'] ??
      Object.values(isObjectAt(parameter, 'content')).flatMap((media) => (isObject(media) ? [media['schema'] ?? {}] : []))[0]
    return {
      name: isAmbiguous ? `${place}.${name}` : name,
      schema: described(copy(schema ?? {}), parameter['description']),
      required: parameter['required'] === true || place === 'path',
    }
  })
}

function isSetByClient(parameter: JsonObject): boolean {
  return textAt(parameter, 'in') === 'header' && /^(?:accept|content-type|authorization)$/i.test(textAt(parameter, 'name'))
}

/** The properties of a body that is an object are arguments of their own; any other body is the argument `body`. */
function bodyArguments(root: JsonObject, operation: JsonObject, { copy }: Copier): readonly Argument[] {
  const body = objectAt(root, operation['requestBody'])
  if (body === undefined) return []
  const isRequired = body['required'] === true
  const media = preferred(isObjectAt(body, 'content'))
  const schema = objectAt(root, media?.['schema'])
  const properties = schema === undefined ? {} : isObjectAt(schema, 'properties')
  const names = Object.keys(properties).filter((name) => name !== 'connection')
  if (schema === undefined || names.length === 0 || ['allOf', 'anyOf', 'oneOf'].some((key) => key in schema))
    return [{ name: 'body', schema: copy(media?.['schema'] ?? {}), required: isRequired }]
  const copied = copy(schema)
  const required = new Set(isObject(copied) ? itemsOf(copied['required']) : [])
  return names.map((name) => ({ name, schema: copy(properties[name]), required: isRequired && required.has(name) }))
}

function preferred(content: JsonObject): JsonObject | undefined {
  const names = Object.keys(content)
  const name =
    names.find((type) => /[/+]json\b/.test(type)) ?? names.find((type) => type.startsWith('application/x-www-form-urlencoded')) ?? names[0]
  const media = name === undefined ? undefined : content[name]
  return media !== undefined && isObject(media) ? media : undefined
}

function needsCredentials(root: JsonObject, operation: JsonObject): boolean {
  const schemes = itemsOf(operation['security'] ?? root['security'])
  return schemes.length > 0 && schemes.every((scheme) => isObject(scheme) && Object.keys(scheme).length > 0)
}

/** Whether the document says where the service is. */
function hasServer(root: JsonObject): boolean {
  return itemsOf(root['servers']).some((server) => isObject(server) && /^https?:\/\//.test(textAt(server, 'url')))
}

function outputOf(root: JsonObject, operation: JsonObject, budget: SchemaBudget): JsonObject {
  const responses = isObjectAt(operation, 'responses')
  const status = Object.keys(responses).find((code) => code.startsWith('2')) ?? 'default'
  const response = objectAt(root, responses[status])
  const copier = createSchemaCopier(root, budget)
  const schema = copier.copy(response === undefined ? {} : preferred(isObjectAt(response, 'content'))?.['schema'])
  return isObject(schema) ? copier.complete(schema) : {}
}

function described(schema: Json, description: Json | undefined): Json {
  return isObject(schema) && typeof description === 'string' && !('$ref' in schema)
    ? { ...schema, description: description.slice(0, 500) }
    : schema
}

function textAt(parent: JsonObject, key: string): string {
  const value = parent[key]
  return typeof value === 'string' ? value : ''
}
