import { isObject, type Json, type JsonObject } from '#core/json.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import { resolveObject } from '#effects/openapi/document/reference.ts'
import { ownProperty, ownList } from '#effects/openapi/own-property.ts'
import type { OperationSource, Parameter, ParameterPlace } from './operation.ts'

/** A parameter of either version, as it is written. */
export interface WrittenParameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly object: JsonObject
}

/** The parameters of an operation with those of its path, which it may override; references resolved. */
export function parameterList({ root, item, operation }: OperationSource): readonly WrittenParameter[] {
  const parameters = new Map<string, WrittenParameter>()
  for (const written of [...ownList(item, 'parameters'), ...ownList(operation, 'parameters')]) {
    const parameter = read(root, written)
    parameters.set(`${parameter.in} ${parameter.name}`, parameter)
  }
  return [...parameters.values()]
}

function read(root: JsonObject, written: Json): WrittenParameter {
  const object = resolveObject(root, written, 'a parameter')
  const name = ownProperty(object, 'name')
  const place = ownProperty(object, 'in')
  if (typeof name !== 'string' || typeof place !== 'string') {
    throw new HttpCallError('configuration', 'The OpenAPI document is not valid: a parameter has no "name" or no "in".')
  }
  return { name, in: place, required: ownProperty(object, 'required') === true || place === 'path', object }
}

/**
 * The API keys that an operation asks for, as optional parameters: the DSL has no policy for them, so that a parameter
 * of that name is how an author sends one. Nothing is sent that is not given.
 */
export function apiKeyParameters({ root, operation }: OperationSource, schemes: JsonObject): readonly Parameter[] {
  const requirements = ownProperty(operation, 'security') === undefined ? ownList(root, 'security') : ownList(operation, 'security')
  const names = requirements.flatMap((requirement) => (isObject(requirement) ? Object.keys(requirement) : []))
  return [...new Set(names)].flatMap((scheme) => {
    const object = ownProperty(schemes, scheme) === undefined ? {} : resolveObject(root, ownProperty(schemes, scheme), 'a security scheme')
    const name = ownProperty(object, 'name')
    const place = ownProperty(object, 'in')
    if (ownProperty(object, 'type') !== 'apiKey' || typeof name !== 'string' || !isPlace(place)) return []
    const style = place === 'header' ? 'simple' : 'form'
    return [{ name, in: place, required: false, serialization: { kind: 'style', style, explode: false, allowReserved: false } } as const]
  })
}

/** The declared parameters with those of security schemes, which a document may declare as well. */
export function withApiKeys(declared: readonly Parameter[], keys: readonly Parameter[]): readonly Parameter[] {
  const isDeclared = (key: Parameter) => declared.some((other) => other.in === key.in && other.name === key.name)
  return [...declared, ...keys.filter((key) => !isDeclared(key))]
}

export function isPlace(place: Json | undefined): place is ParameterPlace {
  return place === 'path' || place === 'query' || place === 'header' || place === 'cookie'
}
