import { isRuntimeExpression } from '@millrace/dsl'
import { itemsOf, type Json, membersOf, textOf } from '@millrace/engine'

/** What a tool of an agent uses of the account. */
export interface AgentTool {
  /** Its place in the list of tools. */
  readonly index: number
  /** `namespace/name` of the workflow that it runs. */
  readonly workflow: string | undefined
  /** Full name of the function of a connector that it calls. */
  readonly function: string | undefined
  readonly connection: string | undefined
  /** Whether it reads workflows, executions or triggers. */
  readonly readsAccount: boolean
}

/** The name of a called function without its version or catalog. */
export function functionNameOf(call: string): string {
  return call.replace(/[:@].*$/, '')
}

/** The tools that a call gives to an agent; none of another call. */
export function agentTools(call: string, args: unknown): readonly AgentTool[] {
  if (functionNameOf(call) !== 'agent') return []
  return itemsOf(membersOf(jsonOf(args))['tools']).map((item, index) => {
    const tool = membersOf(item)
    const [namespace, name] = [textOf(tool['namespace']), textOf(tool['workflow'])]
    const isWorkflow = tool['kind'] === 'workflow' && namespace !== undefined && name !== undefined
    const isConnector = tool['kind'] === 'connector'
    return {
      index,
      workflow: isWorkflow ? `${namespace}/${name}` : undefined,
      function: isConnector ? textOf(tool['function']) : undefined,
      connection: isConnector ? connectionIn(tool) : undefined,
      readsAccount: tool['kind'] === 'account',
    }
  })
}

export type ModelQuality = 'fast' | 'strong'

/** The role of the model that a call asks, by itself or by its agent; undefined for another call. A role that an expression computes counts as the usual one. */
export function modelIn(call: string, args: unknown): ModelQuality | undefined {
  const given = membersOf(jsonOf(args))
  const name = functionNameOf(call)
  if (name === 'model') return given['role'] === 'strong' ? 'strong' : 'fast'
  if (name === 'agent') return given['quality'] === 'fast' ? 'fast' : 'strong'
  return undefined
}

/** The connection that arguments name, if they do not compute the name. */
export function connectionIn(args: unknown): string | undefined {
  const name = textOf(membersOf(jsonOf(args))['connection'])
  return name === undefined || isRuntimeExpression(name) ? undefined : name
}

/** Whether arguments name a connection, or an expression computes them all. */
export function connectionGiven(args: unknown): boolean {
  return typeof args === 'string' || membersOf(jsonOf(args))['connection'] !== undefined
}

/** Actions on tables that make no table: of another action, such as put, a table is the result. */
const readsOf: ReadonlySet<string> = new Set(['get', 'list', 'count', 'delete'])

/** The table of the platform that a call reads or writes, if it does not compute the name. */
export function tableIn(call: string, args: unknown): { readonly name: string; readonly writes: boolean } | undefined {
  const [connector, action = ''] = functionNameOf(call).split('.')
  const name = connector === 'tables' ? textOf(membersOf(jsonOf(args))['table']) : undefined
  if (name === undefined || isRuntimeExpression(name)) return undefined
  return { name, writes: !readsOf.has(action) }
}

function jsonOf(args: unknown): Json | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Arguments in a definition are JSON.
  return args as Json | undefined
}
