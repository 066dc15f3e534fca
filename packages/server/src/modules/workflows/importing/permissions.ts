import { type Definition, eachTask } from '@millrace/dsl'
import { agentTools } from '#modules/workflows/agent-tools.ts'
import { usesOf } from '#modules/workflows/requirements.ts'

/** What a workflow may reach and use. */
export interface Permissions {
  /** Hosts that it calls; `*` for an address that it computes. */
  readonly hosts: readonly string[]
  readonly functions: readonly string[]
  readonly secrets: readonly string[]
  readonly connections: readonly string[]
  readonly workflows: readonly string[]
  readonly events: readonly string[]
  readonly scripts: boolean
  readonly schedules: boolean
}

/** What a definition says that it may reach; what it computes is shown as `*`. */
export function permissionsOf(definition: Definition): Permissions {
  const hosts = new Set<string>()
  const functions = new Set<string>()
  const { secrets, connections, workflows, permissions, events } = usesOf(definition)
  const types = new Set(events.map(({ type }) => type))
  for (const { kind, task } of eachTask(definition)) {
    if (kind === 'emit') types.add(task.emit.event.with['type'])
    if (kind !== 'call') continue
    functions.add(task.call)
    for (const tool of agentTools(task.call, task.with)) {
      if (tool.function !== undefined) functions.add(tool.function)
      if (tool.readsAccount) functions.add('account-read')
    }
    for (const uri of urisIn(task.with)) hosts.add(hostOf(uri))
  }
  return {
    hosts: [...hosts].toSorted(),
    functions: [...functions].toSorted(),
    secrets: [...secrets.keys()],
    connections: [...connections.keys()],
    workflows: [...workflows.keys()],
    events: [...types].toSorted(),
    scripts: [...permissions.keys()].some((name) => name.startsWith('run.')),
    schedules: definition.schedule !== undefined,
  }
}

/** Permissions as the API shows them. */
export function permissionsView({ scripts, schedules, ...lists }: Permissions) {
  const { hosts, functions, secrets, connections, workflows, events } = lists
  return {
    hosts: [...hosts],
    functions: [...functions],
    secrets: [...secrets],
    connections: [...connections],
    workflows: [...workflows],
    events: [...events],
    scripts,
    schedules,
  }
}

const addressKeys = new Set(['endpoint', 'uri', 'url', 'authority', 'server'])

/** The values of members that are addresses. */
function urisIn(value: unknown, key = ''): readonly string[] {
  if (typeof value === 'string') return addressKeys.has(key) ? [value] : []
  if (Array.isArray(value)) return value.flatMap((entry) => urisIn(entry))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => (name === 'body' ? [] : urisIn(member, name)))
}

function hostOf(uri: string): string {
  // What stands before an @ is no part of the host.
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?(?<host>[^/?#@]+)/i.exec(uri)?.groups?.['host']
  return host === undefined || /[{}$]/.test(host) ? '*' : host.toLowerCase()
}
