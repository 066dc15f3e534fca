import type { Json, JsonObject } from '@millrace/engine'
import { Manifest } from '#modules/connectors/manifest.ts'

type Operation = Manifest['operations'][number]

const headersMember = 'x-millrace-headers'
const refusalMember = 'x-millrace-refusal'
const authenticationMember = 'x-millrace-authentication'
const Extras = Manifest.pick({ headers: true, refusal: true })

/** The manifest of a connector as an OpenAPI document, so that both are called alike. */
export function documentOf({ title, version, servers, authentication, operations, headers, refusal }: Manifest): JsonObject {
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationOf(operation) }
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    servers: servers.map((url) => ({ url })),
    ...(authentication.kind === 'none' ? {} : { security: [{ connection: [] }], [authenticationMember]: authentication }),
    paths,
    ...(headers === undefined ? {} : { [headersMember]: headers }),
    ...(refusal === undefined ? {} : { [refusalMember]: refusal }),
  }
}

/** What a document that was made of a manifest keeps beyond OpenAPI. */
export function extrasOf(document: JsonObject): Pick<Manifest, 'headers' | 'refusal'> {
  return Extras.parse({ headers: document[headersMember], refusal: document[refusalMember] })
}

/** How requests are authenticated, by a manifest or by the document that was made of it. */
export function authenticationOf(document: JsonObject): Manifest['authentication'] | undefined {
  return Manifest.shape.authentication.safeParse(document[authenticationMember] ?? document['authentication']).data
}

function operationOf({ name, summary, parameters, encoding, response }: Operation): JsonObject {
  const entries = Object.entries(parameters)
  const body = entries.filter(([, parameter]) => parameter.in === 'body')
  const required = body.filter(([, parameter]) => parameter.required === true).map(([key]) => key)
  const type = encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  const schema = {
    type: 'object',
    properties: Object.fromEntries(body.map(([key, parameter]) => [key, schemaOf(parameter)])),
    ...(required.length === 0 ? {} : { required }),
  }
  return {
    operationId: name,
    summary,
    parameters: entries
      .filter(([, parameter]) => parameter.in !== 'body')
      .map(([key, parameter]) => ({
        name: key,
        in: parameter.in,
        required: parameter.in === 'path' || parameter.required === true,
        schema: schemaOf(parameter),
      })),
    ...(body.length === 0 ? {} : { requestBody: { required: true, content: { [type]: { schema } } } }),
    responses: {
      200: { description: '', ...(response === undefined ? {} : { content: { 'application/json': { schema: response } } }) },
    },
  }
}

function schemaOf({ schema = {}, description }: Operation['parameters'][string]): JsonObject {
  return { ...schema, ...(description === undefined ? {} : { description }) }
}
