import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { dig } from '#laws/calls.ts'
import { escapePointer } from '#platform/json-pointer.ts'

export type Schema = Readonly<Record<string, unknown>>

export interface DescribedParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}

/** An operation in the published description. */
export interface Described {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly isPublic: boolean
  readonly parameters: readonly DescribedParameter[]
  /** Schema of the body by its media type. */
  readonly bodies: ReadonlyMap<string, Schema>
  readonly statuses: ReadonlySet<string>
  /** The validator of bodies of this status and media type; undefined when they are not declared. */
  validator(status: number, mediaType: string): ValidateFunction | undefined
}

/** The published description of a server, with validators. */
export interface Description {
  readonly operations: readonly [Described, ...Described[]]
  /** Follows a reference. */
  resolve(schema: Schema): Schema
}

export async function readDescription(url: string): Promise<Description> {
  return descriptionOf(recordOf(await (await fetch(`${url}/api/v1/openapi.json`)).json()))
}

export function descriptionOf(document: Schema): Description {
  const ajv = new Ajv2020({ strict: false, logger: false })
  formats.default(ajv)
  ajv.addSchema(document, 'description')
  const resolve = (schema: Schema): Schema => {
    const reference = schema['$ref']
    return typeof reference === 'string' ? resolve(recordOf(dig(document, tokensOf(reference)))) : schema
  }
  const operations = Object.entries(recordOf(document['paths'])).flatMap(([path, methods]) =>
    Object.entries(recordOf(methods)).map(([method, operation]) => describedOf(path, method, recordOf(operation), { ajv, resolve })),
  )
  const [first, ...others] = operations.filter(({ id }) => !leftOut.has(id))
  if (first === undefined) throw new Error('the description has no operations')
  return { operations: [first, ...others], resolve }
}

interface Tools {
  readonly ajv: Ajv2020
  readonly resolve: (schema: Schema) => Schema
}

function describedOf(path: string, method: string, operation: Schema, { ajv, resolve }: Tools): Described {
  const parameters = (Array.isArray(operation['parameters']) ? operation['parameters'] : []).map((parameter) =>
    resolve(recordOf(parameter)),
  )
  const content = recordOf(recordOf(operation['requestBody'])['content'])
  return {
    id: String(operation['operationId']),
    method: method.toUpperCase(),
    path,
    isPublic: Array.isArray(operation['security']) && operation['security'].length === 0,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Another test validates the document against the schema of OpenAPI.
    parameters: parameters as unknown as readonly DescribedParameter[],
    bodies: new Map(Object.entries(content).map(([type, media]) => [type, recordOf(recordOf(media)['schema'])])),
    statuses: new Set(Object.keys(recordOf(operation['responses']))),
    validator(status, mediaType) {
      const placeOf = (type: string) => ['paths', path, method, 'responses', String(status), 'content', type, 'schema']
      const isDeclared = (type: string) => dig({ operation }, ['operation', ...placeOf(type).slice(3)]) !== undefined
      // A file of any media type has any bytes.
      if (!isDeclared(mediaType)) return isDeclared('*/*') ? ajv.compile(true) : undefined
      const place = placeOf(mediaType)
      return ajv.getSchema(`description#/${place.map((token) => encodeURIComponent(escapePointer(token))).join('/')}`)
    },
  }
}

function tokensOf(reference: string): readonly string[] {
  return reference
    .slice('#/'.length)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function recordOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}
}

const leftOut: ReadonlySet<string> = new Set([
  // It changes the limits of every account, and then the fixtures of later requests cannot be made.
  'billing.updatePlan',
])
