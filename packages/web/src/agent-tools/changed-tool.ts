import type { GivenTool } from '#src/agent-tools/tool.ts'

/** Members that a form can take away. */
const optional = new Set(['risk', 'connection', 'headers'])

/** A tool as a form changed it, in the order in which it was written; what the form does not know of it stays. */
export function changedTool<T extends object>(before: GivenTool | undefined, made: T): T {
  const kept = Object.entries(before ?? {}).filter(([member]) => !optional.has(member) || member in made)
  return { ...Object.fromEntries(kept), ...made }
}

type Header = string | { readonly secret: string; readonly prefix?: string }

/** The secret that the header Authorization inserts; empty without one. */
export function authorizationOf(headers: unknown): string {
  const { secret } = Object(Object(headers)[authorizationIn(headers)])
  return typeof secret === 'string' ? secret : ''
}

/** Headers of which the header Authorization inserts a secret; the others stay, and so does the text before the secret. None are no member. */
export function withAuthorization(headers: unknown, secret: string): { readonly headers?: Record<string, Header> } {
  const name = authorizationIn(headers)
  const { [name]: before, ...others }: Record<string, Header> = Object(headers)
  const isSecret = typeof before === 'object'
  const next =
    secret === ''
      ? isSecret
        ? others
        : Object(headers)
      : { ...Object(headers), [name]: isSecret ? { ...before, secret } : { secret, prefix: 'Bearer ' } }
  return Object.keys(next).length === 0 ? {} : { headers: next }
}

/** Names of headers are the same in capitals. */
function authorizationIn(headers: unknown): string {
  return Object.keys(Object(headers)).find((name) => name.toLowerCase() === 'authorization') ?? 'Authorization'
}

/** Whether the forms can show all that a tool says in the members that they have; expressions in place of lists and choices they cannot. */
export function isEditable(tool: GivenTool): boolean {
  const { risk, method, tools, operations, headers } = tool
  const isAbsentOr = (value: unknown, fits: (value: unknown) => boolean) => value === undefined || fits(value)
  const isText = (value: unknown) => typeof value === 'string'
  const areTexts = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string' && !one.includes('\n'))
  return (
    ['description', 'url', 'function', 'connection', 'namespace', 'workflow'].every((member) => isAbsentOr(tool[member], isText)) &&
    isAbsentOr(risk, (value) => value === 'safe' || value === 'ask') &&
    isAbsentOr(method, (value) => httpMethods.some((one) => one === value)) &&
    isAbsentOr(tools, areTexts) &&
    isAbsentOr(operations, areTexts) &&
    isAbsentOr(headers, (value) => typeof value === 'object' && value !== null && !Array.isArray(value))
  )
}

export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
