import type { Json } from '#core/json.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import { formType } from '#effects/http/media-type.ts'
import { ownProperty, ownObject, ownTexts } from '#effects/openapi/own-property.ts'
import { quote } from '#effects/openapi/quote.ts'
import { bodyProperties } from './body-properties.ts'
import type {
  BodyContent,
  Operation,
  OperationSource,
  Parameter,
  PropertyEncoding,
  RequestBody,
  Serialization,
  Style,
} from './operation.ts'
import { apiKeyParameters, isPlace, parameterList, withApiKeys, type WrittenParameter } from './parameter-list.ts'

/** Reads an operation of Swagger 2.0. Source: OpenAPI Specification 2.0. */
export function readSwagger2(source: OperationSource, documentUrl: string): Operation {
  const { root, method, path, operation } = source
  const written = parameterList(source)
  const declared = written.flatMap((one) => (one.in === 'body' || one.in === 'formData' ? [] : [parameter(one)]))
  return {
    method,
    path,
    server: { url: baseUrl(source, documentUrl), variables: new Map() },
    parameters: withApiKeys(declared, apiKeyParameters(source, ownObject(root, 'securityDefinitions'))),
    body: wholeBody(source, written) ?? form(source, written),
    produces: types(source, 'produces', operation),
  }
}

/** Where host, base path or scheme are missing, those of the document itself are meant. */
function baseUrl({ root, operation }: OperationSource, documentUrl: string): string {
  const document = new URL(documentUrl)
  const host = ownProperty(root, 'host')
  const basePath = ownProperty(root, 'basePath')
  const schemes = ownTexts(operation, 'schemes').length > 0 ? ownTexts(operation, 'schemes') : ownTexts(root, 'schemes')
  const base = new URL(typeof basePath === 'string' && basePath !== '' ? basePath : '/', document.origin)
  return `${scheme(schemes, document)}//${typeof host === 'string' && host !== '' ? host : document.host}${base.pathname}`
}

/** Of several schemes the encrypted one. */
function scheme(schemes: readonly string[], document: URL): string {
  if (schemes.length === 0) return document.protocol
  if (schemes.includes('https')) return 'https:'
  if (schemes.includes('http')) return 'http:'
  throw new HttpCallError('configuration', `The OpenAPI document offers the schemes ${quote(schemes.join(', '))}; http or https is needed.`)
}

function types({ root }: OperationSource, name: 'consumes' | 'produces', operation: Json): readonly string[] {
  return ownProperty(operation, name) === undefined ? ownTexts(root, name) : ownTexts(operation, name)
}

function parameter({ name, in: place, required, object }: WrittenParameter): Parameter {
  if (!isPlace(place) || place === 'cookie') {
    throw new HttpCallError(
      'configuration',
      `The parameter ${quote(name)} has the location ${quote(place)}; it must be path, query, header, formData or body.`,
    )
  }
  return { name, in: place, required, serialization: collection(place === 'query', ownProperty(object, 'collectionFormat')) }
}

const delimited: Readonly<Record<string, Style>> = { ssv: 'spaceDelimited', tsv: 'tabDelimited', pipes: 'pipeDelimited' }

/** The OpenAPI 3 names of the formats of lists: `csv`, the default, is a form (or simple) that is not exploded, `multi` one that is. */
function collection(isPair: boolean, format: Json | undefined): Serialization {
  const style = typeof format === 'string' && Object.hasOwn(delimited, format) ? delimited[format] : undefined
  return { kind: 'style', style: style ?? (isPair ? 'form' : 'simple'), explode: format === 'multi', allowReserved: false }
}

function wholeBody(source: OperationSource, written: readonly WrittenParameter[]): RequestBody | undefined {
  const body = written.find((one) => one.in === 'body')
  if (body === undefined) return undefined
  const consumes = types(source, 'consumes', source.operation)
  const properties = bodyProperties(source.root, ownProperty(body.object, 'schema'))
  const contents = (consumes.length === 0 ? ['application/json'] : consumes).map(
    (mediaType): BodyContent => ({ mediaType, properties, required: [], encodings: new Map() }),
  )
  return { name: body.name, required: body.required, contents }
}

/** A form has exactly the fields that are declared. With a file it is multipart, which is the one kind that can carry it. */
function form(source: OperationSource, written: readonly WrittenParameter[]): RequestBody | undefined {
  const fields = written.filter((one) => one.in === 'formData')
  if (fields.length === 0) return undefined
  const files = new Set(fields.filter(({ object }) => ownProperty(object, 'type') === 'file').map(({ name }) => name))
  const consumes = types(source, 'consumes', source.operation)
  const isMultipart = files.size > 0 || (consumes.includes('multipart/form-data') && !consumes.includes(formType))
  const required = fields.filter((field) => field.required).map(({ name }) => name)
  const content: BodyContent = {
    mediaType: isMultipart ? 'multipart/form-data' : formType,
    properties: { object: true, names: new Set(fields.map(({ name }) => name)), open: false, files },
    required,
    encodings: new Map(fields.map(({ name, object }) => [name, fieldEncoding(object)])),
  }
  return { name: undefined, required: required.length > 0, contents: [content] }
}

function fieldEncoding(object: Json): PropertyEncoding {
  return { contentType: undefined, serialization: collection(true, ownProperty(object, 'collectionFormat')) }
}
