import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { useWorkflowNames } from '#src/api/workflow-names.ts'
import { m } from '#src/messages/messages.ts'

interface Thing {
  readonly id: string
  readonly name: string
}

/** Lists that name the things of a kind, by the prefix of their ids. */
const lists: Readonly<Record<string, () => Promise<{ readonly data: readonly Thing[] }>>> = {
  trg: () => api.triggers.list({ query: { limit: 100 } }),
  chn: () => api.chains.list({ query: { limit: 100 } }),
  var: () => api.variables.list({ query: { limit: 100 } }),
  conn: () => api.connections.list({ query: { limit: 100 } }),
  key: () => api.apiKeys.list({ query: { limit: 100 } }),
}

interface TargetProps {
  /** The id of a thing of the account, such as `wf_…`. */
  readonly id: string
  /** The workflow of an execution. */
  readonly workflowId?: string | undefined
}

/** A thing of the account by name, with its id as tooltip; by its id where no list names it. */
export function TargetName({ id, workflowId }: TargetProps) {
  const prefix = id.slice(0, id.indexOf('_'))
  const workflows = useWorkflowNames()
  const list = lists[prefix]
  const names = useQuery({ queryKey: ['names', prefix], enabled: list !== undefined, staleTime: 60_000, queryFn: () => list?.() })
  const workflow = workflows?.get(workflowId ?? id)
  if (workflow !== undefined) return <bdi title={id}>{prefix === 'exec' ? m.audit.runOf(workflow) : workflow}</bdi>
  const name = names.data?.data.find((one) => one.id === id)?.name
  return name === undefined ? <bdi className="mono i2">{id}</bdi> : <bdi title={id}>{name}</bdi>
}
