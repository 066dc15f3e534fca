import type { InvalidPart } from '@millrace/contract'
import { parseValue } from '#platform/validation/parse-value.ts'
import { Manifest } from './manifest.ts'
import type { Check, ConnectorDocument, ConnectorOperation } from './model.ts'

/** What both kinds of documents say, with what is wrong with them. */
export interface ReadConnector {
  readonly title: string
  readonly version: string
  readonly servers: readonly { readonly url: string; readonly pointer: string }[]
  readonly operations: readonly ConnectorOperation[]
  readonly errors: readonly InvalidPart[]
  readonly checks: readonly Check[]
}

export function readManifest(document: ConnectorDocument): ReadConnector {
  const read = parseValue(Manifest, document, '/document')
  if (read.errors !== undefined) return { title: '', version: '', servers: [], operations: [], errors: read.errors, checks: [] }
  const { data } = read
  const { title, version, servers, operations } = data
  return {
    title,
    version,
    servers: servers.map((url, index) => ({ url, pointer: `/document/servers/${index}` })),
    operations: operations.map(({ name, method, path, summary }) => ({ name, method, path, summary })),
    errors: [...duplicateNames(operations), ...operations.flatMap(pathFaults)],
    checks: [],
  }
}

function duplicateNames(operations: readonly { readonly name: string }[]): InvalidPart[] {
  const names = new Set<string>()
  return operations.flatMap(({ name }, index) => {
    const isNew = !names.has(name)
    names.add(name)
    return isNew ? [] : [{ pointer: `/document/operations/${index}/name`, detail: `Another operation has the name ${name}.` }]
  })
}

/** The variables of a path are parameters in the path, and the reverse. */
function pathFaults({ path, parameters }: Manifest['operations'][number], index: number): InvalidPart[] {
  const variables = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '')
  const declared = Object.entries(parameters)
    .filter(([, parameter]) => parameter.in === 'path')
    .map(([name]) => name)
  const pointer = `/document/operations/${index}`
  return [
    ...variables
      .filter((name) => !declared.includes(name))
      .map((name) => ({ pointer: `${pointer}/path`, detail: `{${name}} is not declared in parameters with in: path.` })),
    ...declared
      .filter((name) => !variables.includes(name))
      .map((name) => ({ pointer: `${pointer}/parameters`, detail: `${name} is declared with in: path and is not in the path.` })),
  ]
}
