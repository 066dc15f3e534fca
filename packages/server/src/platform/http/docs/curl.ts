import type { AnyOperation } from '@millrace/contract'
import { type Node, nodeOf } from './schema-view.ts'

/** A call of the operation that can be pasted into a shell; `$MILLRACE` is the server, `$TOKEN` a credential. */
export function curlOf(op: AnyOperation, described: Node): string {
  const parameters = (Array.isArray(described.parameters) ? described.parameters : []).map(nodeOf)
  const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { examples } = nodeOf(parameters.find((parameter) => parameter.name === name)?.schema)
    return Array.isArray(examples) && typeof examples[0] === 'string' ? examples[0] : `$${name}`
  })
  const media = nodeOf(nodeOf(nodeOf(described.requestBody).content)['application/json'])
  const lines = [`curl ${op.method === 'GET' ? '' : `-X ${op.method} `}"$MILLRACE${path}"`]
  if (op.auth !== 'public') lines.push(`-H "Authorization: Bearer $TOKEN"`)
  if (media.example !== undefined) lines.push(`-H "Content-Type: application/json"`, `-d ${quoted(JSON.stringify(media.example, null, 2))}`)
  return lines.join(' \\\n  ')
}

/** One word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
