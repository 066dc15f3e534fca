import type { Json } from '#core/json.ts'
import { invalidArgument } from '#effects/http/http-call-error.ts'
import { formType, isJsonType, parseMediaType } from '#effects/http/media-type.ts'
import type { BodyContent, BodyProperties, RequestBody } from '#effects/openapi/operation/operation.ts'
import { quote, quoteAll } from '#effects/openapi/quote.ts'
import { chooseContent, type ChosenContent } from './media-type-choice.ts'

/** A body as the author gives it, and the media type that it is going to have. */
export interface GivenBody {
  readonly value: Json
  readonly chosen: ChosenContent
}

export interface BodyFinder {
  /** The permitted names, for messages. */
  readonly names: readonly string[]
  /** Makes a body of the parameters that are nothing else; `unknown` words the error for a name that fits nothing. */
  find(rest: readonly (readonly [string, Json])[], unknown: (name: string) => string): GivenBody | undefined
}

/**
 * Finds the body among the parameters: whole under `body` (or the name that a Swagger 2.0 document gives it), or property by property.
 *
 * Where the schema itself has a property of that name, the name means the property, and the body can be given by its properties only.
 * Properties are taken for JSON and forms; those that the schema names, or any when it is open.
 */
export function createBodyFinder(body: RequestBody | undefined, contentType: string | undefined): BodyFinder {
  const taker = body === undefined ? undefined : takerOf(body, contentType)
  const properties = taker?.content.properties
  const wholeNames = body === undefined ? [] : namesOfWhole(body, properties)
  const find: BodyFinder['find'] = (rest, unknown) => {
    const whole = rest.find(([name]) => wholeNames.includes(name))
    const others = rest.filter((entry) => entry !== whole)
    const unexpected = others.find(([name]) => whole !== undefined || !takes(properties, name))
    if (unexpected !== undefined)
      throw invalidArgument(whole === undefined ? unknown(unexpected[0]) : besides(unexpected[0], whole[0], unknown))
    if (body === undefined) return undefined
    if (whole !== undefined) return present(whole[1], chooseContent(body.contents, contentType, whole[1]))
    return others.length === 0 ? absent(body, wholeNames) : present(Object.fromEntries(others), taker)
  }
  return { names: [...wholeNames, ...(properties?.names ?? [])], find }
}

function namesOfWhole({ name }: RequestBody, properties: BodyProperties | undefined): readonly string[] {
  if (name === 'body') return [name]
  return [...(name === undefined ? [] : [name]), ...(properties?.names.has('body') === true ? [] : ['body'])]
}

function besides(name: string, whole: string, unknown: (name: string) => string): string {
  return `${unknown(name)} The body is given whole as ${quote(whole)}, so that it cannot be a property of it.`
}

/** Properties choose the media type among those that have any; a body that is given whole may have another. */
function takerOf({ contents }: RequestBody, contentType: string | undefined): ChosenContent | undefined {
  const candidates = contentType === undefined ? contents.filter(takesProperties) : contents
  const chosen = chooseContent(candidates, contentType, {})
  return chosen !== undefined && takesProperties(chosen.content) ? chosen : undefined
}

function takesProperties({ mediaType, properties }: BodyContent): boolean {
  const essence = parseMediaType(mediaType)?.essence ?? ''
  const isObjectType =
    isJsonType(essence) || essence === formType || essence === 'multipart/form-data' || mediaType === '*/*' || mediaType === 'application/*'
  return isObjectType && properties.object
}

function takes(properties: BodyProperties | undefined, name: string): boolean {
  return properties !== undefined && (properties.open || properties.names.has(name))
}

function absent({ required, contents }: RequestBody, wholeNames: readonly string[]): undefined {
  if (!required) return undefined
  const [name = 'body'] = wholeNames
  refuseMissing(contents[0]?.required ?? [])
  throw invalidArgument(`The operation requires a body: give it as the parameter ${quote(name)}, or its properties as parameters.`)
}

function present(value: Json, chosen: ChosenContent | undefined): GivenBody {
  if (chosen === undefined) throw invalidArgument('The operation has a body without a media type.')
  refuseMissing(chosen.content.required.filter((name) => !isGiven(value, name)))
  return { value, chosen }
}

function isGiven(value: Json, name: string): boolean {
  return typeof value !== 'object' || value === null || Object.hasOwn(value, name)
}

function refuseMissing(names: readonly string[]): void {
  if (names.length === 0) return
  throw invalidArgument(`The operation requires ${quoteAll(names)} in its form: give each under "parameters".`)
}
