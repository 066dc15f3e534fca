import type { Converted, Converter } from '#src/import/n8n/converted.ts'
import type { NodeFields } from '#src/import/n8n/fields.ts'
import { own, textOf } from '#src/import/value.ts'
import type { AppOperation } from './app.ts'
import { apps } from './app-table.ts'

/** The call of a public API that does what a node of an app does. */
export const appNode: Converter = (fields) => {
  const app = own(apps, shortType(fields.node.type))
  if (app === undefined) return undefined
  const { parameters } = fields.node
  const [resource, operation] = [textOf(parameters['resource']) || app.resource, textOf(parameters['operation']) || app.operation]
  const found =
    own(app.operations, `${resource}.${operation}`) ?? own(app.operations, `*.${operation}`) ?? own(app.operations, `${resource}.*`)
  if (found === undefined) return undefined
  const ignored = ['additionalFields', 'options', 'filters', 'filtersUI', 'otherOptions'].filter(
    (key) => Object.keys(Object(parameters[key])).length > 0,
  )
  if (ignored.length > 0)
    fields.report('adapted', `Optional parameters may not be sent: ${ignored.join(', ')}. Compare the request with the node.`)
  return callOf(fields, app.base, app.auth, found)
}

export function shortType(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1)
}

function callOf(fields: NodeFields, base: string, auth: string, operation: AppOperation): Converted {
  const [method, path, body = ''] = operation
  const secret = `$secrets.${fields.secret(fields.node.credentials[0]?.kind ?? `${shortType(fields.node.type)}Api`)}`
  const uri = filled(fields, `${base}${path}`, secret)
  const header = auth === '' ? {} : { headers: `\${ {${auth.replaceAll('SECRET', secret)}} }` }
  const content = body === '' ? {} : { body: `\${ ${filledBody(fields, body)} }` }
  return {
    as: 'each',
    task: { call: 'http', with: { method, endpoint: `\${ ${uri} }`, ...header, ...content } },
    ...(operation[3] === undefined ? {} : { result: operation[3] }),
  }
}

/** `<name|other>` in a path is a parameter, encoded; `<SECRET>` the credential; `<secret.NAME>` a further one. */
function filled(fields: NodeFields, template: string, secret: string): string {
  const pieces = template.split(/<([^>]+)>/)
  const parts = pieces.map((piece, index) => {
    if (index % 2 === 0) return JSON.stringify(piece)
    if (piece === 'SECRET') return secret
    if (piece.startsWith('secret.')) return `$secrets.${fields.secret(piece.slice(7))}`
    return `(${fields.jq(parameter(fields, piece))} | tostring | @uri)`
  })
  return `(${parts.filter((one) => one !== '""').join(' + ')})`
}

/** `<name>` in a body is a parameter as jq; `<*>` all parameters but those that choose the operation. */
function filledBody(fields: NodeFields, template: string): string {
  return template.replace(/<([^<>]+)>/g, (_, piece: string) => {
    if (piece !== '*') return `(${fields.jq(parameter(fields, piece))})`
    const { resource: _resource, operation: _operation, ...rest } = fields.node.parameters
    return `(${fields.jq(rest)})`
  })
}

function parameter(fields: NodeFields, names: string): unknown {
  for (const name of names.split('|')) {
    const found = name
      .split('.')
      .reduce<unknown>(
        (value, key) => (typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined),
        fields.node.parameters,
      )
    if (found !== undefined && found !== '') return found
  }
  fields.report('adapted', `The parameter ${names.replaceAll('|', ' or ')} is missing in the export; null is sent.`)
  return null
}
