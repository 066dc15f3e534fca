import { takenNames } from '@millrace/contract/tool-names'
import { durationMs, isRuntimeExpression } from '@millrace/dsl'
import { isAccountOperation } from '#modules/account-reads/index.ts'
import { isObject, itemsOf, type Json, type JsonObject, membersOf, textOf } from '@millrace/engine'
import { escapePointer } from '#platform/json-pointer.ts'
import { agentTasks } from './compile-agent.ts'
import type { AgentTool, ToolHeader } from './model.ts'
import { asks, schemaFaults, toolInputs } from './resolve-tools.ts'

/** What is wrong with the arguments of a call, by JSON Pointer into them. */
interface ExpansionFailure {
  readonly pointer: string
  readonly message: string
}

type Expansion = { readonly task: JsonObject } | { readonly failures: readonly ExpansionFailure[] }

const weekMs = 7 * 24 * 60 * 60 * 1000
/** Members of the arguments by which the tasks are compiled; the others may be computed when the call is made. */
const fixed = ['tools', 'approval', 'limits', 'quality'] as const

/**
 * The tasks of a `call: agent` with these arguments, which fit the schema of its manifest.
 * @param secrets names that the definition lists in `use.secrets`.
 */
export function expandAgent(given: JsonObject, secrets: readonly string[], input: JsonObject): Expansion {
  const policy = membersOf(given['approval'])['policy'] === 'always' ? 'always' : 'risky'
  const failures: ExpansionFailure[] = fixed.flatMap((member) => expressionsIn(given[member], `/${member}`))
  const tools = itemsOf(given['tools']).map((item, index): AgentTool => {
    const tool = membersOf(item)
    failures.push(...faultsOf(tool, `/tools/${index}`, secrets))
    return toolOf(tool, policy)
  })
  for (const [index, name] of takenNames(tools))
    failures.push({ pointer: `/tools/${index}/name`, message: `Another tool has the name "${name}".` })
  const approval = membersOf(given['approval'])
  for (const [pointer, value] of [
    ['/limits/duration', membersOf(given['limits'])['duration']],
    ['/approval/deadline', approval['deadline']],
  ] as const)
    failures.push(...durationFaults(pointer, value))
  if (failures.length > 0) return { failures }
  const start: JsonObject = {
    call: 'agent-start',
    with: {
      goal: '${ .goal }',
      data: '${ .data }',
      ...Object.fromEntries(['quality', 'limits'].flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]))),
      tools: startTools(tools),
    },
    output: { as: '${ { run: ., state: {} } }' },
  }
  const approvers = itemsOf(approval['approvers'])
  const deadline = textOf(approval['deadline']) ?? 'P1D'
  const ask = { approvers: approvers.length === 0 ? [{ role: 'admin' }] : approvers, deadline }
  return { task: { input: { schema: { document: input } }, do: agentTasks(start, tools, ask) } }
}

function startTools(tools: readonly AgentTool[]): Json[] {
  return toolInputs(tools).map((tool, index): Json => {
    const of = tools[index]
    if (of?.kind === 'connector')
      return { ...tool, function: of.function, ...(of.connection === undefined ? {} : { connection: of.connection }) }
    return { ...tool, ...(of?.kind === 'workflow' ? { workflow: of.document } : {}) }
  })
}

function toolOf(tool: JsonObject, policy: 'always' | 'risky'): AgentTool {
  const [name, description, url] = ['name', 'description', 'url'].map((member) => textOf(tool[member]) ?? '')
  const risk = tool['risk'] === 'safe' || tool['risk'] === 'ask' ? tool['risk'] : undefined
  const method = textOf(tool['method']) ?? 'GET'
  const base = { name: name ?? '', description: description ?? '' }
  if (tool['kind'] === 'workflow') {
    const document = { namespace: textOf(tool['namespace']) ?? '', name: textOf(tool['workflow']) ?? '' }
    return { ...base, kind: 'workflow', document, parameters: undefined, ask: asks({ kind: 'workflow', risk }, policy) }
  }
  if (tool['kind'] === 'connector') {
    const called = { function: textOf(tool['function']) ?? '', connection: textOf(tool['connection']) }
    return { ...base, kind: 'connector', ...called, parameters: undefined, ask: asks({ kind: 'connector', risk }, policy) }
  }
  if (tool['kind'] === 'account') {
    const operations = itemsOf(tool['operations']).flatMap((item) => [textOf(item) ?? ''].filter(isAccountOperation))
    return { name: base.name, kind: 'account', operations, ask: asks({ kind: 'account', risk }, policy) }
  }
  const headers = headersOf(tool['headers'])
  if (tool['kind'] === 'mcp') {
    const tools = itemsOf(tool['tools']).flatMap((item) => textOf(item) ?? [])
    return { ...base, kind: 'mcp', url: url ?? '', headers, tools, ask: asks({ kind: 'mcp', risk }, policy) }
  }
  const [query, body] = [tool['query'], tool['body']].map((schema) => (isObject(schema ?? null) ? membersOf(schema) : undefined))
  return { ...base, kind: 'http', method, url: url ?? '', headers, query, body, ask: asks({ kind: 'http', risk, method }, policy) }
}

function headersOf(given: Json | undefined): Readonly<Record<string, ToolHeader>> {
  return Object.fromEntries(
    Object.entries(membersOf(given)).map(([name, value]) => {
      const { secret, prefix } = membersOf(value)
      return [name, textOf(secret) === undefined ? (textOf(value) ?? '') : { secret: textOf(secret) ?? '', prefix: textOf(prefix) ?? '' }]
    }),
  )
}

/** Members that tools of a kind need, and those that they may have. */
const members = {
  workflow: { needs: ['description', 'namespace', 'workflow'], takes: [] },
  http: { needs: ['description', 'url'], takes: ['method', 'headers', 'query', 'body'] },
  mcp: { needs: ['url', 'tools'], takes: ['headers'] },
  connector: { needs: ['description', 'function'], takes: ['connection'] },
  account: { needs: ['operations'], takes: [] },
} as const

function faultsOf(tool: JsonObject, pointer: string, secrets: readonly string[]): readonly ExpansionFailure[] {
  const given = tool['kind']
  const kind = given === 'workflow' || given === 'mcp' || given === 'connector' || given === 'account' ? given : 'http'
  const { needs, takes } = members[kind]
  const known = new Set<string>(['kind', 'name', 'risk', 'description', ...needs, ...takes])
  const missing = needs.filter((name) => tool[name] === undefined)
  const unknown = Object.keys(tool).filter((name) => !known.has(name))
  const unlisted = Object.entries(membersOf(tool['headers'])).flatMap(([header, value]) => {
    const secret = textOf(membersOf(value)['secret'])
    return secret === undefined || secrets.includes(secret) ? [] : [{ header, secret }]
  })
  return [
    ...missing.map((name) => ({ pointer, message: `A tool of the kind ${kind} needs ${name}.` })),
    ...unknown.map((name) => ({ pointer: `${pointer}/${name}`, message: `A tool of the kind ${kind} has no ${name}.` })),
    ...unlisted.map(({ header, secret }) => ({
      pointer: `${pointer}/headers/${header}`,
      message: `The secret ${secret} is not listed in use.secrets. Add it there.`,
    })),
    ...(['query', 'body'] as const).flatMap((name) => {
      const schema = tool[name]
      const found = isObject(schema ?? null) ? schemaFaults(membersOf(schema), `${pointer}/${name}`) : []
      return found.map((fault) => ({ pointer: fault.pointer, message: fault.detail }))
    }),
  ]
}

function durationFaults(pointer: string, value: Json | undefined): readonly ExpansionFailure[] {
  if (value === undefined) return []
  const ms = durationMs(textOf(value) ?? '') ?? Number.NaN
  return ms >= 1000 && ms <= weekMs ? [] : [{ pointer, message: 'Must be a duration from a second to a week, such as PT1H.' }]
}

function expressionsIn(value: Json | undefined, pointer: string): readonly ExpansionFailure[] {
  if (typeof value === 'string')
    return isRuntimeExpression(value)
      ? [
          {
            pointer,
            message: 'Must be written out: tools, limits and approvals are fixed before a run. Use goal and data for what varies.',
          },
        ]
      : []
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => expressionsIn(item, `${pointer}/${index}`))
  return Object.entries(membersOf(value)).flatMap(([name, member]) => expressionsIn(member, `${pointer}/${escapePointer(name)}`))
}
