import type { Converted, Converter } from '#src/import/n8n/converted.ts'
import type { NodeFields } from '#src/import/n8n/fields.ts'
import { constantText, term } from '#src/import/n8n/jq-text.ts'
import { at, listOf, own, textOf } from '#src/import/value.ts'
import type { App, AppOperation } from './app.ts'
import { apps } from './app-table.ts'

/** The call of a public API that does what a node of an app does. */
export const appNode: Converter = (fields) => {
  const app = own(apps, shortType(fields.node.type))
  if (app === undefined) return undefined
  const { parameters } = fields.node
  const [resource, operation] = [textOf(parameters['resource']) || app.resource, textOf(parameters['operation']) || app.operation]
  const found =
    own(app.operations, `${resource}.${operation}`) ??
    own(app.operations, `*.${operation}`) ??
    own(app.operations, `${resource}.*`) ??
    firstOf(fields, app, resource)
  if (found === undefined) return undefined
  const ignored = ['additionalFields', 'options', 'filters', 'filtersUI', 'otherOptions'].filter(
    (key) => Object.keys(Object(parameters[key])).length > 0,
  )
  if (ignored.length > 0)
    fields.report('adapted', `Optional parameters may not be sent: ${ignored.join(', ')}. Compare the request with the node.`)
  return callOf(fields, app.base, app.auth, found)
}

/** An export omits the operation that is the default of a resource; each table begins with it. */
function firstOf(fields: NodeFields, app: App, resource: string): AppOperation | undefined {
  if (textOf(fields.node.parameters['operation']) !== '') return undefined
  const [name, operation] = Object.entries(app.operations).find(([key]) => key.startsWith(`${resource}.`)) ?? []
  if (name !== undefined)
    fields.report('adapted', `The export does not name the operation; ${name.slice(name.indexOf('.') + 1)} is assumed.`)
  return operation
}

export function shortType(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1)
}

function callOf(fields: NodeFields, base: string, auth: string, operation: AppOperation): Converted {
  const [method, path, body = ''] = operation
  const secret = `$secrets.${fields.secret(fields.node.credentials[0]?.kind ?? `${shortType(fields.node.type)}Api`)}`
  const uri = filled(fields, `${base}${path}`, secret)
  const header = auth === '' ? {} : { headers: headersOf(auth.replaceAll('SECRET', secret)) }
  const content = body === '' ? {} : { body: `\${ ${filledBody(fields, body)} }` }
  return {
    as: 'each',
    task: { call: 'http', with: { method, endpoint: constantText(uri) ?? `\${ ${uri} }`, ...header, ...content } },
    ...(operation[3] === undefined && ['post', 'put', 'patch'].includes(method) ? { gives: 'one' as const } : {}),
    ...(operation[3] === undefined ? {} : { result: `(try (${operation[3]}) catch empty)` }),
  }
}

/** Headers that a table has as members of jq, each with its expression. */
function headersOf(members: string): unknown {
  const pairs = [...members.matchAll(/"([\w-]+)": ("[^"]*"|\((?:[^()]|\([^()]*\))*\))(?:, |$)/g)]
  if (pairs.map(([whole]) => whole).join('') !== members) return `\${ {${members}} }`
  return Object.fromEntries(
    pairs.map(([, name = '', value = '']) => [name, constantText(value) ?? `\${ ${value.replace(/^\((.*)\)$/s, '$1')} }`]),
  )
}

/** `<name|other>` in a path is a parameter, encoded; `<SECRET>` the credential; `<secret.NAME>` a further one. */
function filled(fields: NodeFields, template: string, secret: string): string {
  const pieces = template.replace('FILTERS', '').split(/<([^>]+)>/)
  const parts = pieces.map((piece, index) => {
    if (index % 2 === 0) return JSON.stringify(piece).slice(1, -1)
    if (piece === 'SECRET') return `\\(${secret})`
    if (piece.startsWith('secret.')) return `\\($secrets.${fields.secret(piece.slice(7))})`
    const value = fields.jq(parameter(fields, piece))
    const constant = constantText(value)
    return constant === undefined ? `\\(${value} | tostring | @uri)` : encodeURIComponent(constant)
  })
  if (template.includes('FILTERS')) parts.push(...filtersOf(fields).map((jq) => `\\(${jq})`))
  return `"${parts.join('')}"`
}

/** The conditions of a query of PostgREST. Without any, none of its rows is meant: n8n refuses that too. */
function filtersOf(fields: NodeFields): string[] {
  const list = listOf(at(fields.node.parameters, 'filters', 'conditions'))
  const conditions = list.map((one) => {
    const condition = textOf(at(one, 'condition')) || 'eq'
    return `(${fields.jq(at(one, 'keyName'))} | tostring | @uri) + "=${/^[a-z]{2,6}$/.test(condition) ? condition : 'eq'}." + (${fields.jq(at(one, 'keyValue'))} | tostring | @uri)`
  })
  const text = textOf(fields.node.parameters['filterString'])
  if (text !== '') return [`(${fields.jq(text)} | tostring)`]
  return conditions.length === 0 ? ['"id=is.null"'] : [conditions.join(' + "&" + ')]
}

/** Properties of a page of Notion: each has its name and type in its key. */
function propertiesOf(fields: NodeFields): string {
  const values = listOf(at(fields.node.parameters, 'propertiesUi', 'propertyValues'))
  const members = values.flatMap((one) => {
    const [name = '', type = ''] = textOf(at(one, 'key')).split('|')
    const property = propertyOf(fields, type, one)
    if (property === undefined)
      fields.report('adapted', `The property "${name.slice(0, 60)}" has no type that is converted; it is left out.`)
    return property === undefined ? [] : [`${JSON.stringify(name)}: ${property}`]
  })
  return `{${members.join(', ')}}`
}

function propertyOf(fields: NodeFields, type: string, one: unknown): string | undefined {
  const read = (...names: string[]) =>
    fields.jq(names.map((name) => at(one, name)).find((found) => found !== undefined && found !== '') ?? null)
  const written = (...names: string[]) => `[{text: {content: (${read(...names)} | if . == null then "" else tostring end)}}]`
  const by: Readonly<Record<string, () => string>> = {
    title: () => `{title: ${written('title')}}`,
    rich_text: () => `{rich_text: ${written('textContent', 'text')}}`,
    number: () => `{number: (${read('numberValue')})}`,
    checkbox: () => `{checkbox: (${read('checkboxValue')} == true)}`,
    select: () => `{select: {name: (${read('selectValue')} | tostring)}}`,
    status: () => `{status: {name: (${read('statusValue')} | tostring)}}`,
    multi_select: () =>
      `{multi_select: ((${read('multiSelectValue')}) | if type == "array" then map({name: tostring}) else [{name: tostring}] end)}`,
    email: () => `{email: (${read('emailValue')})}`,
    url: () => `{url: (${read('urlValue')})}`,
    phone_number: () => `{phone_number: (${read('phoneValue')})}`,
    date: () => `{date: {start: (${read('date', 'dateStart')}), end: (${at(one, 'range') === true ? read('dateEnd') : 'null'})}}`,
    relation: () => `{relation: ((${read('relationValue')}) | if type == "array" then map({id: tostring}) else [] end)}`,
  }
  return own(by, type)?.()
}

/** `<name>` in a body is a parameter as jq; `<*>` all parameters but those that choose the operation. */
function filledBody(fields: NodeFields, template: string): string {
  return template
    .replace('PROPERTIES', () => propertiesOf(fields))
    .replace(/<([^<>]+)>/g, (_, piece: string) => {
      if (piece !== '*') return term(fields.jq(parameter(fields, piece)))
      const { resource: _resource, operation: _operation, ...rest } = fields.node.parameters
      return term(fields.jq(rest))
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
    // A sheet that was chosen from a list is kept by its number; requests name it by its title.
    if (name === 'sheetName' && textOf(at(found, 'cachedResultName')) !== '') return at(found, 'cachedResultName')
    if (found !== undefined && found !== '') return found
  }
  fields.report('adapted', `The parameter ${names.replaceAll('|', ' or ')} is missing in the export; null is sent.`)
  return null
}
