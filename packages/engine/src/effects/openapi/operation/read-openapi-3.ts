import type { Json, JsonObject } from '#core/json.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import { resolve, resolveObject } from '#effects/openapi/document/reference.ts'
import { ownProperty, ownList, ownObject, ownTexts } from '#effects/openapi/own-property.ts'
import { quote } from '#effects/openapi/quote.ts'
import { bodyProperties } from './body-properties.ts'
import type {
  BodyContent,
  Operation,
  OperationSource,
  Parameter,
  ParameterPlace,
  PropertyEncoding,
  RequestBody,
  Server,
  Style,
} from './operation.ts'
import { apiKeyParameters, isPlace, parameterList, withApiKeys, type WrittenParameter } from './parameter-list.ts'

/** Reads an operation of OpenAPI 3.0 or 3.1; throws a configuration error that names the invalid part of the document. */
export function readOpenApi3(source: OperationSource): Operation {
  const { root, method, path, item, operation } = source
  const declared = parameterList(source).flatMap((written) => (isIgnored(written) ? [] : [parameter(written)]))
  const schemes = ownObject(ownProperty(root, 'components'), 'securitySchemes')
  return {
    method,
    path,
    server: server(root, item, operation),
    parameters: withApiKeys(declared, apiKeyParameters(source, schemes)),
    body: requestBody(root, method, ownProperty(operation, 'requestBody')),
    produces: produces(root, operation),
  }
}

/** Source: OpenAPI 3.1, Parameter Object: these "SHALL be ignored", since other parts of the document describe them. */
function isIgnored({ in: place, name }: WrittenParameter): boolean {
  return place === 'header' && ['accept', 'content-type', 'authorization'].includes(name.toLowerCase())
}

function parameter({ name, in: place, required, object }: WrittenParameter): Parameter {
  if (!isPlace(place)) {
    throw new HttpCallError(
      'configuration',
      `The parameter ${quote(name)} has the location ${quote(place)}; it must be path, query, header or cookie.`,
    )
  }
  const [mediaType] = Object.keys(ownObject(object, 'content'))
  if (mediaType !== undefined) return { name, in: place, required, serialization: { kind: 'content', mediaType } }
  const style = styleOf(name, place, ownProperty(object, 'style'))
  const explode = ownProperty(object, 'explode')
  return {
    name,
    in: place,
    required,
    serialization: {
      kind: 'style',
      style,
      explode: typeof explode === 'boolean' ? explode : style === 'form',
      allowReserved: ownProperty(object, 'allowReserved') === true && place === 'query',
    },
  }
}

const styles: Readonly<Record<ParameterPlace, readonly [Style, ...Style[]]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
}

function styleOf(name: string, place: ParameterPlace, written: Json | undefined): Style {
  if (written === undefined) return styles[place][0]
  const style = styles[place].find((known) => known === written)
  if (style !== undefined) return style
  const allowed = styles[place].join(', ')
  throw new HttpCallError(
    'configuration',
    `The ${place} parameter ${quote(name)} has the style ${typeof written === 'string' ? quote(written) : 'that is no text'}; possible are ${allowed}.`,
  )
}

/** The first server of the innermost list that has one. */
function server(root: JsonObject, item: JsonObject, operation: JsonObject): Server {
  const [first] = [operation, item, root].map((object) => ownList(object, 'servers')).find((servers) => servers.length > 0) ?? []
  const url = ownProperty(first, 'url')
  const variables = Object.entries(ownObject(first, 'variables')).map(([name, variable]) => {
    const value = ownProperty(variable, 'default')
    const allowed = ownTexts(variable, 'enum')
    return [name, { value: typeof value === 'string' ? value : '', allowed: allowed.length === 0 ? undefined : allowed }] as const
  })
  return { url: typeof url === 'string' ? url : '/', variables: new Map(variables) }
}

function requestBody(root: JsonObject, method: string, written: Json | undefined): RequestBody | undefined {
  // A body of these has no meaning in HTTP, and OpenAPI lets it be ignored.
  if (written === undefined || method === 'GET' || method === 'HEAD') return undefined
  const body = resolveObject(root, written, '"requestBody"')
  const contents = Object.entries(ownObject(body, 'content')).map(([mediaType, media]) => content(root, mediaType, media))
  return contents.length === 0 ? undefined : { name: undefined, required: ownProperty(body, 'required') === true, contents }
}

function content(root: JsonObject, mediaType: string, media: Json): BodyContent {
  const encodings = Object.entries(ownObject(media, 'encoding')).map(([name, written]) => [name, encoding(name, written)] as const)
  return { mediaType, properties: bodyProperties(root, ownProperty(media, 'schema')), required: [], encodings: new Map(encodings) }
}

/** The style of a property counts when one of the three that describe it is there. Source: OpenAPI 3.1, Encoding Object. */
function encoding(name: string, written: Json): PropertyEncoding {
  const contentType = ownProperty(written, 'contentType')
  const explode = ownProperty(written, 'explode')
  const allowReserved = ownProperty(written, 'allowReserved')
  const isStyled = ownProperty(written, 'style') !== undefined || explode !== undefined || allowReserved !== undefined
  const style = styleOf(name, 'query', ownProperty(written, 'style'))
  return {
    contentType: typeof contentType === 'string' ? contentType : undefined,
    serialization: isStyled
      ? { kind: 'style', style, explode: typeof explode === 'boolean' ? explode : style === 'form', allowReserved: allowReserved === true }
      : undefined,
  }
}

/** The media types of the replies that are successes, `default` counting as one when there is no other. */
function produces(root: JsonObject, operation: JsonObject): readonly string[] {
  const responses = Object.entries(ownObject(operation, 'responses'))
  const successes = responses.filter(([status]) => status.startsWith('2'))
  const chosen = successes.length > 0 ? successes : responses.filter(([status]) => status === 'default')
  return chosen.flatMap(([, response]) => Object.keys(ownObject(resolve(root, response), 'content')))
}
