import { unencodedParts } from '#src/expression/unencoded-parts.ts'
import { replacePieces } from '#src/expression/replace-pieces.ts'
import type { Converter } from '#src/import/n8n/converted.ts'
import type { NodeFields } from '#src/import/n8n/fields.ts'
import { constantText } from '#src/import/n8n/jq-text.ts'
import { at, type Data, listOf, textOf } from '#src/import/value.ts'

/** Headers that follow from the request itself. */
const ofConnection = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer'])

export const httpRequest: Converter = (fields) => {
  const { parameters, version } = fields.node
  const method = textOf(parameters[version < 3 ? 'requestMethod' : 'method']).toLowerCase() || 'get'
  const given = textOf(parameters['url'])
  const uri = given.includes('{{') && !given.startsWith('=') ? `=${given}` : given
  if (uri === '' || uri === '=') fields.report('adapted', 'The request has no URL. Enter one.', '/parameters/url')
  const named = Object.entries(pairs(parameters, 'headerParameters', 'headerParametersUi'))
  const headers = { ...Object.fromEntries(named.filter(([name]) => !ofConnection.has(name.toLowerCase()))), ...authentication(fields) }
  const query = pairs(parameters, 'queryParameters', 'queryParametersUi')
  const body = bodyOf(fields)
  if (parameters['sendBinaryData'] === true || parameters['contentType'] === 'binaryData')
    fields.report('adapted', 'The body is a file of an item, which items do not carry here.', '/parameters')
  const whole =
    at(parameters, 'options', 'response', 'response', 'fullResponse') === true || at(parameters, 'options', 'fullResponse') === true
  if (at(parameters, 'options', 'pagination') !== undefined)
    fields.report('adapted', 'Only the first page is read: write a loop for the others.', '/parameters/options/pagination')
  return {
    as: 'each',
    task: {
      call: 'http',
      with: {
        method: /^(get|post|put|patch|delete|head|options)$/.test(method) ? method : 'get',
        endpoint: endpointOf(fields, uri),
        ...part('headers', fields, headers),
        ...(typeof parameters['jsonQuery'] === 'string'
          ? { query: `\${ ${fields.jq(parameters['jsonQuery'])} | fromjson }` }
          : part('query', fields, query)),
        ...(body === undefined || method === 'get' || method === 'head' ? {} : { body }),
        ...(whole ? { output: 'response' } : {}),
      },
    },
    ...(whole ? { result: '{statusCode, headers, body: .content}' } : {}),
  }
}

/** An endpoint that validates: a constant absolute address, or an expression. */
export function endpointOf(fields: NodeFields, uri: string): string {
  const absolute = /^https?:\/\/[\w.-]+(:\d+)?(\/[\w\-./~%]*)?$/.test(uri)
  return absolute ? uri : `\${ ${addressOf(fields, uri)} }`
}

/** jq of an address: values in its path and query are percent-encoded, which n8n leaves to the author. */
export function addressOf(fields: NodeFields, uri: string): string {
  const jq = fields.jq(uri)
  const parts = unencodedParts(jq, 'address').map((one) => ({ ...one, way: wayOf(fields, jq, one) }))
  const encoded = parts.filter(({ way }) => way === 'value')
  if (encoded.length > 0) {
    const names = [
      ...new Set(
        encoded.map(({ start, end }) =>
          jq
            .slice(start, end)
            .replace(/ (?:\/\/|\|) .*$/s, '')
            .replace(/^\$item\./, ''),
        ),
      ),
    ]
    fields.report(
      'note',
      `Values in its address are percent-encoded here, so that a blank or & in them does not break it: ${names.join(', ').slice(0, 200)}. Remove \`| @uri\` where a value is encoded already.`,
      '/parameters/url',
    )
  }
  const pieces = parts.map(({ start, end, encoded: by, way }) => {
    const format = way === 'value' ? '@uri' : way === 'path' ? 'split("/") | map(@uri) | join("/")' : '@text'
    return { start, end, insert: by.replace(/@uri(\)?)$/, `${format}$1`) }
  })
  return replacePieces(jq, pieces)
}

/** Whether a part of an address stands for one value, for a path with its slashes, or for what is encoded or a query already. */
function wayOf(
  { computed }: NodeFields,
  jq: string,
  { start, end }: { readonly start: number; readonly end: number },
): 'value' | 'path' | 'ready' {
  const written = jq.slice(start, end)
  const script = computed.get(/\$values\[\$index\]\.(v\d+)/.exec(written)?.[1] ?? '') ?? ''
  if (/encodeURI|urlEncode|URLSearchParams/.test(script) || /["'`][^"'`]*[?&=][^"'`]*["'`]/.test(script)) return 'ready'
  if (/["'`][^"'`]*\/[^"'`]*["'`]/.test(script)) return 'path'
  const [, name = ''] = /[.["](\w+)["\])]*(?: (?:\/\/|\|) .*)?$/s.exec(script === '' ? written : script) ?? []
  if (/(?:^|_)(?:path|pathname|uri|url|href|link|endpoint|route)$|(?:Path|Url|URL|Uri|Link|Endpoint|Route)$/.test(name)) return 'path'
  const before = jq.slice(0, start)
  return /\?(?:\\\()?$/.test(before) || /(?:^|_)(?:query|querystring|params|qs)$|(?:Query|QueryString|Params)$/i.test(name)
    ? 'ready'
    : 'value'
}

/** Headers or query as a constant map, or one expression where names or values are computed. */
export function part(name: string, fields: NodeFields, map: Data): Data {
  const entries = Object.entries(map)
  if (entries.length === 0) return {}
  if (entries.every(([key, value]) => !key.startsWith('=') && (typeof value === 'string' || typeof value === 'number')))
    return { [name]: Object.fromEntries(entries.map(([key, value]) => [key, value instanceof Object ? '' : fields.leaf(String(value))])) }
  const valueOf = (value: unknown) => (value instanceof Raw ? value.jq : fields.jq(value))
  // An expression that is no text is one when it is sent; without a value it is the empty text.
  const textOfValue = (value: unknown) => {
    const jq = valueOf(value)
    return value instanceof Raw || jq.startsWith('"') ? jq : `${jq} | if . == null then "" else tostring end`
  }
  if (entries.every(([key]) => !key.startsWith('=')))
    return {
      [name]: Object.fromEntries(entries.map(([key, value]) => [key, constantText(textOfValue(value)) ?? `\${ ${textOfValue(value)} }`])),
    }
  const members = entries.map(([key, value]) => `(${fields.jq(key)} | tostring): (${textOfValue(value)})`)
  return { [name]: `\${ {${members.join(', ')}} }` }
}

/** jq that stands in place of a parameter. */
export class Raw {
  readonly jq: string

  constructor(jq: string) {
    this.jq = jq
  }
}

function pairs(parameters: unknown, modern: string, old: string): Record<string, unknown> {
  const list = [...listOf(at(parameters, modern, 'parameters')), ...listOf(at(parameters, old, 'parameter'))]
  return Object.fromEntries(
    list.flatMap((one) => (textOf(at(one, 'name')) === '' ? [] : [[textOf(at(one, 'name')), at(one, 'value') ?? '']])),
  )
}

function bodyOf(fields: NodeFields): unknown {
  const { parameters } = fields.node
  const json = parameters['jsonBody'] ?? parameters['bodyParametersJson']
  if (json !== undefined && json !== '') return bodyFromText(fields, json)
  if (parameters['body'] !== undefined) return fields.leaf(parameters['body'])
  const members = pairs(parameters, 'bodyParameters', 'bodyParametersUi')
  return Object.keys(members).length === 0 ? undefined : `\${ ${fields.jq(members)} }`
}

/** A body that is JSON text with expressions in it. */
function bodyFromText(fields: NodeFields, json: unknown): unknown {
  if (typeof json !== 'string') return fields.leaf(json)
  if (!json.startsWith('=')) {
    try {
      return fields.leaf(JSON.parse(json))
    } catch {
      return fields.leaf(json)
    }
  }
  return `\${ ${fields.jq(json)} | if type == "string" then (try fromjson catch .) else . end }`
}

function authentication(fields: NodeFields): Record<string, Raw> {
  const { credentials, parameters } = fields.node
  const kind = textOf(parameters['nodeCredentialType']) || textOf(parameters['genericAuthType']) || credentials[0]?.kind || ''
  const needed = credentials.length > 0 || (parameters['authentication'] !== undefined && parameters['authentication'] !== 'none')
  if (!needed || kind === '') return {}
  const secret = `$secrets.${fields.secret(kind)}`
  if (kind === 'httpBasicAuth') return { Authorization: new Raw(`"Basic " + (${secret} | @base64)`) }
  if (kind === 'httpHeaderAuth') {
    fields.report('adapted', 'The name of the header is not in the export: Authorization is assumed.')
    return { Authorization: new Raw(secret) }
  }
  if (kind === 'httpQueryAuth' || kind === 'httpDigestAuth' || kind === 'httpCustomAuth')
    fields.report('adapted', `The credential ${kind} is sent as a bearer token. Correct the request.`)
  return { Authorization: new Raw(`"Bearer " + ${secret}`) }
}

/** Whether a value is a plain object of parameters. */
