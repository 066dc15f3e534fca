import type { Json, JsonObject } from '@millrace/dsl'
import type { ListedTool } from '#src/agent-tools/tool-list.tsx'
import type { Tool } from '#src/agent-tools/tool.ts'
import { isObject } from '#src/document/task-json.ts'

const kinds = ['workflow', 'http', 'mcp', 'connector', 'account'] as const satisfies readonly Tool['kind'][]
const risks = ['safe', 'ask'] as const

/** The tools of a `call: agent`; undefined where a list cannot show them. */
export function taskTools(value: Json | undefined): readonly ListedTool[] | undefined {
  if (value === undefined) return []
  if (!Array.isArray(value)) return undefined
  const tools = value.map(listed)
  const names = new Set(tools.map((tool) => tool?.name))
  return names.size === tools.length && tools.every((tool) => tool !== undefined) ? tools : undefined
}

function listed(tool: Json): ListedTool | undefined {
  if (!isObject(tool)) return undefined
  const { name } = tool
  const kind = kinds.find((one) => one === tool['kind'])
  if (typeof name !== 'string' || kind === undefined) return undefined
  const risk = risks.find((one) => one === tool['risk'])
  const texts = [tool['description'], tool['workflow'], tool['function'], tool['url']]
  const summary = texts.find((text) => typeof text === 'string' && text !== '')
  return { name, kind, risk, summary: typeof summary === 'string' ? summary : '', given: tool }
}

/** A tool as a task has it: a workflow by the name in its document, since ids differ between installations; without an id it has no name here. */
export function toolOfTask({ ...tool }: Tool, document: Json | undefined): JsonObject {
  if (tool.kind !== 'workflow') return jsonOf(tool)
  const { workflowId: id, ...rest } = tool
  if (id === '') return jsonOf(rest)
  const { namespace = 'default', name = '' } = isObject(document) ? document : {}
  return { ...jsonOf(rest), namespace, workflow: name }
}

function jsonOf(tool: object): JsonObject {
  const parsed: JsonObject = JSON.parse(JSON.stringify(tool))
  return parsed
}

/** The members in which a tool differs from what it was; undefined for those that are gone. */
export function changedMembers(before: JsonObject, after: JsonObject): readonly (readonly [string, Json | undefined])[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]))
    .map((member) => [member, after[member]])
}

/** Tools with another one, in the place of that of its name. */
export function withTool(value: Json | undefined, tool: JsonObject): Json {
  return [...withoutTool(value, tool['name']), tool]
}

export function withoutTool(value: Json | undefined, name: Json | undefined): readonly Json[] & Json {
  return (Array.isArray(value) ? value : []).filter((one) => !isObject(one) || one['name'] !== name)
}

/** The secrets that the headers of a tool insert. */
export function secretsOf({ headers }: JsonObject): readonly string[] {
  if (!isObject(headers)) return []
  return Object.values(headers).flatMap((header) => (isObject(header) && typeof header['secret'] === 'string' ? [header['secret']] : []))
}

/** The secrets of a tool whose names stand nowhere else in a definition, so that its list need not name them once the tool is gone. */
export function secretsOnlyOf(definition: Json, tool: JsonObject): readonly string[] {
  const { use, ...rest } = isObject(definition) ? definition : {}
  const { secrets: _listed, ...others } = isObject(use) ? use : {}
  const countIn = (value: Json, secret: string) => JSON.stringify(value).split(JSON.stringify(secret).slice(1, -1)).length
  return secretsOf(tool).filter((secret) => countIn([others, rest], secret) <= countIn(tool, secret))
}
